"""Labs of Wirewright and their results, and models for tests of hardware.

>>> import wirewright
>>> results = wirewright.run("labs/hello", quick=True)
>>> results["traffic.stream.packets.delivered"]
50
"""

from ._native import OrderedList, Scheduler, __version__, internet_checksum
from .labs import check, run
from .results import Results, load
from .sweeps import sweep

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
