"""ww_ring_buffer: keeps whole packets in order, drops whole packets, and counts both."""

import random

import cocotb
import pytest
from cocotb.triggers import ClockCycles, RisingEdge

from testing import (
    Beats,
    Packet,
    parameters,
    pauses,
    random_packet,
    receive,
    simulate,
    sink,
    source,
    start,
)


def beats_of(packet):
    return -(-len(packet.data) * 8 // parameters()["WIDTH"])


async def begin(dut, limit=None):
    dut.limit.value = limit or parameters()["DEPTH"]
    output, given = sink(dut), source(dut)
    await start(dut)
    return output, given


@cocotb.test()
async def keeps_what_fits(dut):
    """Compares with a count of beats: drops exactly those packets for which a beat finds no room."""
    output, given = await begin(dut)
    depth = parameters()["DEPTH"]
    output.set_pause_generator(pauses(0.7))
    given.set_pause_generator(pauses(0.2))
    bad = dropped = 0
    kept = []
    packets = []
    for _ in range(300):
        packet = random_packet(depth * parameters()["WIDTH"] // 16)
        packets.append(packet)
        given.send_nowait(packet.frame())

    async def model():
        """Beats inside by what passed both sides; the RAM is read one clock before the output."""
        nonlocal bad, dropped
        complete = pending = 0
        output_full = discarding = False
        incoming = iter(packets)
        while True:
            await RisingEdge(dut.clk)
            assert int(dut.level.value) == complete + pending
            fetch = complete > 0 and (not output_full or dut.m_axis_tready.value == 1)
            if dut.s_axis_tvalid.value == 1:
                last = dut.s_axis_tlast.value == 1
                if not discarding and complete + pending == depth:
                    discarding, pending = True, 0
                    dropped += 1
                elif not discarding:
                    pending += 1
                if last:
                    packet = next(incoming)
                    if not discarding:
                        if parameters()["DROP_BAD"] and packet.user & 1:
                            bad += 1
                        else:
                            kept.append(packet)
                            complete += pending
                    pending, discarding = 0, False
            complete -= fetch
            if fetch:
                output_full = True
            elif dut.m_axis_tready.value == 1:
                output_full = False

    cocotb.start_soon(model())
    count = 0
    while not given.idle() or int(dut.level.value) > 0 or count < len(kept):
        if count < len(kept) and not output.empty():
            assert await receive(output) == kept[count], f"packet {count}"
            count += 1
        else:
            await RisingEdge(dut.clk)
    await ClockCycles(dut.clk, 10)
    assert output.empty()
    assert int(dut.kept_packets.value) == len(kept) > 0
    assert int(dut.dropped_packets.value) == dropped > 0
    assert int(dut.bad_packets.value) == bad
    assert bad > 0 or not parameters()["DROP_BAD"]


@cocotb.test()
async def one_beat_a_clock_two_clocks_later(dut):
    output, given = await begin(dut)
    entered, left = Beats(dut, "s_axis"), Beats(dut, "m_axis")
    size = parameters()["WIDTH"] // 8 * 3
    packets = [Packet(random.randbytes(size), 2 * number) for number in range(30)]
    for packet in packets:
        given.send_nowait(packet.frame())
    for packet in packets:
        assert await receive(output) == packet
    assert left.one_a_clock()
    assert left.clocks[0] - entered.clocks[2] == 2


@cocotb.test()
async def depth_at_run_time(dut):
    """With a limit of 5 beats and a closed output, packets of 2 beats: 1 beat leaves the memory."""
    output, given = await begin(dut, limit=5)
    output.pause = True
    size = parameters()["WIDTH"] // 8 * 2
    packets = [Packet(random.randbytes(size), 2 * number) for number in range(8)]
    for packet in packets:
        given.send_nowait(packet.frame())
    await ClockCycles(dut.clk, 40)
    assert int(dut.level.value) == 5
    assert (int(dut.kept_packets.value), int(dut.dropped_packets.value)) == (3, 5)
    output.pause = False
    for packet in packets[:3]:
        assert await receive(output) == packet


@pytest.mark.parametrize("drop_bad", [0, 1])
def test_ring_buffer(drop_bad):
    simulate(
        "ww_ring_buffer", {"WIDTH": 64, "USER_WIDTH": 65, "DEPTH": 22, "DROP_BAD": drop_bad}
    )
