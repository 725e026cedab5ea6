"""Labs of Wirewright and their results, and models for tests of hardware.

>>> import wirewright
>>> results = wirewright.run("labs/hello", quick=True)
>>> results["traffic.stream.packets.delivered"]
50
"""

from . import _native
from ._native import __version__
from .labs import check, run
from .results import Results, load
from .sweeps import sweep

OrderedList = _native.models.OrderedList
Scheduler = _native.models.Scheduler
internet_checksum = _native.models.internet_checksum

__all__ = [
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
