"""What the tests of stream blocks share: clock and reset, sources and sinks, packets, pauses."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

PERIOD_NS = 10


async def start(dut, clock: str = "clk", reset: str | None = "rst") -> None:
    """Starts the clock and resets the module for some clocks."""
    Clock(getattr(dut, clock), PERIOD_NS, unit="ns").start()
    if reset is not None:
        getattr(dut, reset).value = 1
        await ClockCycles(getattr(dut, clock), 4)
        getattr(dut, reset).value = 0
    await RisingEdge(getattr(dut, clock))


def source(dut, prefix: str = "s_axis", clock: str = "clk") -> AxiStreamSource:
    """Drives the AXI4-Stream input `prefix` of the module."""
    made = AxiStreamSource(AxiStreamBus.from_prefix(dut, prefix), getattr(dut, clock), byte_size=8)
    made.log.setLevel("WARNING")
    return made


def sink(dut, prefix: str = "m_axis", clock: str = "clk") -> AxiStreamSink:
    """Takes what the AXI4-Stream output `prefix` of the module gives."""
    made = AxiStreamSink(AxiStreamBus.from_prefix(dut, prefix), getattr(dut, clock), byte_size=8)
    made.log.setLevel("WARNING")
    return made


def pauses(probability: float) -> Iterator[bool]:
    """Random pauses for `set_pause_generator`: in bursts as well as clock by clock."""
    while True:
        if random.random() < 0.02:
            # A long pause or a long run without one finds what single gaps do not: full and empty.
            yield from [random.random() < 0.5] * random.randint(5, 60)
        yield random.random() < probability


@dataclass(frozen=True)
class Packet:
    """A packet and its tuser."""

    data: bytes
    user: int = 0

    def frame(self, **fields) -> AxiStreamFrame:
        """The packet as a source sends it; `fields` are further signals, such as tdest."""
        return AxiStreamFrame(self.data, tuser=self.user, **fields)


def random_packet(longest: int, shortest: int = 1, user_width: int = 65) -> Packet:
    """A packet of random bytes; short ones and the longest are more frequent than others."""
    size = random.choice(
        [
            random.randint(shortest, longest),
            random.randint(shortest, min(longest, shortest + 70)),
            random.choice([shortest, longest]),
        ]
    )
    return Packet(random.randbytes(size), random.getrandbits(user_width))


async def receive(output: AxiStreamSink) -> Packet:
    """The next packet of a sink. Its tuser must be the same in all beats."""
    frame = await output.recv(compact=False)
    users = set(frame.tuser) if isinstance(frame.tuser, (list, tuple)) else {frame.tuser}
    assert len(users) == 1, f"tuser changes within a packet: {users}"
    return Packet(bytes(frame.tdata), users.pop())
