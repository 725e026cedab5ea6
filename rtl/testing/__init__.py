"""Shared by the tests of all blocks: see rtl/README.md, "Tests"."""

from .simulation import parameters, simulate
from .streams import Packet, pauses, random_packet, receive, sink, source, start

__all__ = [
    "Packet",
    "parameters",
    "pauses",
    "random_packet",
    "receive",
    "simulate",
    "sink",
    "source",
    "start",
]
