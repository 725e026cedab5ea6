"""Shared by the tests of all blocks: see rtl/README.md, "Tests"."""

from .rows import RowPort
from .simulation import is_quick, parameters, simulate
from .streams import (
    PERIOD_NS,
    Beats,
    Packet,
    check_pass_through,
    pauses,
    random_packet,
    receive,
    sink,
    source,
    start,
)

__all__ = [
    "PERIOD_NS",
    "Beats",
    "Packet",
    "RowPort",
    "check_pass_through",
    "is_quick",
    "parameters",
    "pauses",
    "random_packet",
    "receive",
    "simulate",
    "sink",
    "source",
    "start",
]
