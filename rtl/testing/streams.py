"""What the tests of stream blocks share: clock and reset, sources and sinks, packets, pauses."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

PERIOD_NS = 10


async def start(
    dut, clock: str = "clk", reset: str | None = "rst", longest: int = 1_000_000
) -> None:
    """Starts the clock and resets the module for some clocks. The test fails after `longest` clocks."""
    Clock(getattr(dut, clock), PERIOD_NS, unit="ns").start()
    cocotb.start_soon(_end_after(longest))
    if reset is not None:
        getattr(dut, reset).value = 1
        await ClockCycles(getattr(dut, clock), 4)
        getattr(dut, reset).value = 0
    await RisingEdge(getattr(dut, clock))


async def _end_after(clocks: int) -> None:
    await Timer(clocks * PERIOD_NS, "ns")
    raise TimeoutError(f"the test did not end within {clocks} clocks")


def source(dut, prefix: str = "s_axis", clock: str = "clk") -> AxiStreamSource:
    """Drives the AXI4-Stream input `prefix` of the module."""
    made = AxiStreamSource(AxiStreamBus.from_prefix(dut, prefix), getattr(dut, clock))
    made.log.setLevel("WARNING")
    return made


def sink(dut, prefix: str = "m_axis", clock: str = "clk") -> AxiStreamSink:
    """Takes what the AXI4-Stream output `prefix` of the module gives."""
    made = AxiStreamSink(AxiStreamBus.from_prefix(dut, prefix), getattr(dut, clock))
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
    """The next packet of a sink. Its tuser must be the same in all beats, and only the last beat may
    have bytes that are not kept, at its end."""
    frame = await output.recv(compact=False)
    users = set(frame.tuser) if isinstance(frame.tuser, (list, tuple)) else {frame.tuser}
    assert len(users) == 1, f"tuser changes within a packet: {users}"
    size = sum(frame.tkeep)
    assert all(frame.tkeep[:size]), "tkeep has a hole"
    assert len(frame.tkeep) - size < output.byte_lanes, "a beat without bytes"
    return Packet(bytes(frame.tdata[:size]), users.pop())


class Beats:
    """Counts clocks and notes in which of them each beat of a stream passed."""

    def __init__(self, dut, prefix: str, clock: str = "clk"):
        self.clocks: list[int] = []
        self._clock = getattr(dut, clock)
        self._valid = getattr(dut, f"{prefix}_tvalid")
        self._ready = getattr(dut, f"{prefix}_tready")
        cocotb.start_soon(self._watch())

    async def _watch(self) -> None:
        # Numbers of clocks come from the time, so that those of two streams compare.
        while True:
            await RisingEdge(self._clock)
            if self._valid.value == 1 and self._ready.value == 1:
                self.clocks.append(int(get_sim_time("ns")) // PERIOD_NS)

    def one_a_clock(self) -> bool:
        """Whether no clock was without a beat between the first and the last one."""
        return len(self.clocks) == self.clocks[-1] - self.clocks[0] + 1


async def check_pass_through(dut, packets: list[Packet], stop: float, wait: float) -> None:
    """Sends packets to s_axis and demands the same from m_axis.

    `wait` is the probability of a gap in the input, `stop` that of back-pressure at the output.
    """
    output, given = sink(dut), source(dut)
    if stop > 0:
        output.set_pause_generator(pauses(stop))
    if wait > 0:
        given.set_pause_generator(pauses(wait))
    for packet in packets:
        given.send_nowait(packet.frame())
    for number, packet in enumerate(packets):
        assert await receive(output) == packet, f"packet {number}"
    await ClockCycles(dut.clk, 20)
    assert output.empty(), "more came out than went in"
