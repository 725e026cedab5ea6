"""ww_head against byte strings: heads, lengths, sums, and one beat a clock."""

import random
import struct

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiStreamFrame

from testing import Packet, parameters, pauses, random_packet, receive, simulate, sink, source, start

CLOCK_NS = 10


def ones_sum(data: bytes) -> int:
    """RFC 1071 without the final inversion; end-around carry word by word."""
    total = 0
    for i in range(0, len(data), 2):
        total += int.from_bytes(data[i : i + 2].ljust(2, b"\0"), "big")
        total = (total & 0xFFFF) + (total >> 16)
    return total


def exact_sum(data: bytes) -> int:
    """The sum of all 16-bit words as an integer."""
    padded = data + b"\0" * (len(data) % 2)
    return sum(struct.unpack(f">{len(padded) // 2}H", padded))


def expected_token(packet: Packet) -> dict:
    config = parameters()
    head = packet.data[: config["HEAD_BYTES"]]
    whole = config.get("WHOLE", 0)
    return {
        "head": int.from_bytes(head, "little"),
        "length": len(packet.data) if whole else len(head),
        "user": packet.user,
        "sum": ones_sum(packet.data) if config.get("SUM", 0) else 0,
        "total": exact_sum(packet.data) if config.get("SUM", 0) else 0,
    }


FIELDS = ("head", "length", "user", "sum", "total")


async def take_tokens(dut, count: int, busy: float) -> list[tuple[dict, int]]:
    """Takes tokens; gives each with the clock in which it was first valid."""
    tokens = []
    fresh = None
    while len(tokens) < count:
        dut.token_ready.value = int(random.random() >= busy)
        await ReadOnly()
        now = int(get_sim_time("ns")) // CLOCK_NS
        if dut.token_valid.value and fresh is None:
            fresh = now
        taken = bool(dut.token_valid.value and dut.token_ready.value)
        if taken:
            token = {name: int(getattr(dut, f"token_{name}").value) for name in FIELDS}
            tokens.append((token, fresh))
            fresh = None
        await RisingEdge(dut.clk)
    dut.token_ready.value = 1
    return tokens


class Watch:
    """Notes the clock of each accepted beat and of each beat that completes a token."""

    def __init__(self, dut):
        self.accepted: list[int] = []
        self.completed: list[int] = []
        cocotb.start_soon(self._run(dut))

    async def _run(self, dut):
        beats = 0
        while True:
            await ReadOnly()
            if dut.s_axis_tvalid.value and dut.s_axis_tready.value:
                beats += 1
                now = int(get_sim_time("ns")) // CLOCK_NS
                last = bool(dut.s_axis_tlast.value)
                self.accepted.append(now)
                if last if parameters().get("WHOLE", 0) else beats == beats_needed() or (last and beats < beats_needed()):
                    self.completed.append(now)
                if last:
                    beats = 0
            await RisingEdge(dut.clk)


def beats_needed() -> int:
    """Beats that hold a head; an empty one comes with the first."""
    config = parameters()
    return max(1, -(-config["HEAD_BYTES"] * 8 // config["WIDTH"]))


async def run(dut, packets: list[Packet], gap: float, stop: float, busy: float) -> int:
    """Sends the packets, checks everything and gives the clocks from the first to the last beat."""
    dut.token_ready.value = 1
    await start(dut)
    sender, receiver = source(dut), sink(dut)
    if gap:
        sender.set_pause_generator(pauses(gap))
    if stop:
        receiver.set_pause_generator(pauses(stop))
    watch = Watch(dut)
    tokens = cocotb.start_soon(take_tokens(dut, len(packets), busy))
    for packet in packets:
        sender.send_nowait(packet.frame())
    for packet in packets:
        assert await receive(receiver) == packet
    for packet, (token, first), ready in zip(packets, await tokens, watch.completed, strict=True):
        assert token == expected_token(packet)
        # One clock behind the beat.
        assert first == ready + 1
    return watch.accepted[-1] - watch.accepted[0] + 1


@cocotb.test(timeout_time=300, timeout_unit="us")
async def random_traffic(dut):
    packets = [random_packet(300) for _ in range(150)]
    # The carry around the end of the sum.
    packets += [Packet(b"\xff" * n, 1) for n in (2, 3, 64, 301)] + [Packet(bytes(64), 2)]
    await run(dut, packets, gap=0.3, stop=0.3, busy=0.4)


@cocotb.test(timeout_time=300, timeout_unit="us")
async def one_beat_a_clock(dut):
    beat = parameters()["WIDTH"] // 8
    sizes = [beat] * 20 + [1] * 20 + [64, 65] * 5 + list(range(64, 130)) + [1518]
    sizes += [random.randint(1, 4 * beat) for _ in range(60)]
    packets = [Packet(random.randbytes(size), random.getrandbits(65)) for size in sizes]
    clocks = await run(dut, packets, gap=0, stop=0, busy=0)
    assert clocks == sum(-(-size // beat) for size in sizes)


@cocotb.test(timeout_time=300, timeout_unit="us")
async def a_token_that_waits_does_not_stop_its_packet(dut):
    """With the first token not taken, beats pass up to the one that completes the second token."""
    beat = parameters()["WIDTH"] // 8
    first, second = random_packet(1000, 900), random_packet(1000, 900)
    await start(dut)
    dut.token_ready.value = 0
    sender, receiver = source(dut), sink(dut)
    watch = Watch(dut)
    sender.send_nowait(first.frame())
    sender.send_nowait(second.frame())
    assert await receive(receiver) == first
    for _ in range(200):
        await RisingEdge(dut.clk)
    assert receiver.empty()
    # Everything before the completing beat is through.
    beats = [-(-len(packet.data) // beat) for packet in (first, second)]
    needed = beats[1] if parameters().get("WHOLE", 0) else beats_needed()
    assert len(watch.accepted) == beats[0] + needed - 1
    dut.token_ready.value = 1
    assert await receive(receiver) == second


@cocotb.test(timeout_time=300, timeout_unit="us")
async def very_long_packet(dut):
    """token_length stays at 65535; the sum of a packet of that length is exact."""
    if not parameters().get("WHOLE", 0):
        return
    await start(dut)
    dut.token_ready.value = 0
    sender, receiver = source(dut), sink(dut)
    for size in (65535, 65600):
        await sender.send(AxiStreamFrame(b"\xff" * size, tuser=0))
        await receiver.recv()
        await RisingEdge(dut.clk)
        assert dut.token_valid.value and int(dut.token_length.value) == 65535
        if size == 65535 and parameters().get("SUM", 0):
            assert int(dut.token_total.value) == exact_sum(b"\xff" * size)
        dut.token_ready.value = 1
        await RisingEdge(dut.clk)
        dut.token_ready.value = 0


@pytest.mark.parametrize(
    "parameters",
    [
        {"WIDTH": 512, "HEAD_BYTES": 128},
        {"WIDTH": 512, "HEAD_BYTES": 14},
        {"WIDTH": 256, "HEAD_BYTES": 97, "WHOLE": 1},
        {"WIDTH": 128, "HEAD_BYTES": 54, "WHOLE": 1, "SUM": 1},
        {"WIDTH": 512, "HEAD_BYTES": 64, "WHOLE": 1, "SUM": 1},
        {"WIDTH": 64, "HEAD_BYTES": 33},
        {"WIDTH": 64, "HEAD_BYTES": 0},
        {"WIDTH": 64, "HEAD_BYTES": 0, "WHOLE": 1, "SUM": 1},
    ],
    ids=lambda p: "-".join(f"{k}{v}" for k, v in p.items()),
)
def test_head(parameters):
    simulate("ww_head", parameters)


@pytest.mark.parametrize("parameter", [{"WIDTH": 32}, {"HEAD_BYTES": 70000}, {"SUM": 1, "WHOLE": 0}])
def test_illegal_parameters_do_not_build(parameter):
    with pytest.raises(RuntimeError, match="ww_head: .* must be"):
        simulate("ww_head", parameter)
