"""Labs of Wirewright and their results, dataplanes on files and interfaces, and models for tests of hardware.

>>> import wirewright
>>> results = wirewright.run("labs/hello", quick=True)
>>> results["traffic.stream.packets.delivered"]
50
"""

from typing import Any

from . import _native, dataplane, labs
from ._native import __version__
from .dataplane import Dataplane
from .labs import check
from .results import Results, load
from .sweeps import sweep

OrderedList = _native.models.OrderedList
Scheduler = _native.models.Scheduler
internet_checksum = _native.models.internet_checksum


def run(*arguments: Any, **options: Any) -> Any:
    """Runs a lab in virtual time, or, with `ports`, a P4 program as a dataplane.

    See wirewright.labs.run, which gives Results, and wirewright.dataplane.run, which gives a Dataplane that runs.
    """
    return (dataplane.run if "ports" in options else labs.run)(*arguments, **options)


__all__ = [
    "Dataplane",
    "OrderedList",
    "Results",
    "Scheduler",
    "__version__",
    "check",
    "internet_checksum",
    "load",
    "run",
    "sweep",
]
