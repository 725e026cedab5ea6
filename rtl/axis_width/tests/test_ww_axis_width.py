"""ww_axis_width: bytes and packets unchanged, the narrow side full, two clocks through."""

import random

import cocotb
import pytest

from testing import (
    Beats,
    check_pass_through,
    parameters,
    random_packet,
    receive,
    simulate,
    sink,
    source,
    start,
)


@cocotb.test()
async def keeps_packets(dut):
    await start(dut)
    packets = [random_packet(300) for _ in range(120)]
    await check_pass_through(dut, packets, stop=random.random() * 0.7, wait=random.random() * 0.7)


@cocotb.test()
async def narrow_side_one_beat_a_clock(dut):
    output, given = sink(dut), source(dut)
    entered, left = Beats(dut, "s_axis"), Beats(dut, "m_axis")
    await start(dut)
    packets = [random_packet(300) for _ in range(20)]
    for packet in packets:
        given.send_nowait(packet.frame())
    for packet in packets:
        assert await receive(output) == packet
    wide_in = parameters()["S_WIDTH"] > parameters()["M_WIDTH"]
    narrow, width = (left, parameters()["M_WIDTH"]) if wide_in else (entered, parameters()["S_WIDTH"])
    assert narrow.one_a_clock()
    assert len(narrow.clocks) == sum(-(-len(packet.data) * 8 // width) for packet in packets)
    if wide_in:
        assert left.clocks[0] - entered.clocks[0] == 2
    else:
        # The first wide beat leaves two clocks after the narrow one that fills or ends it.
        ratio = parameters()["M_WIDTH"] // parameters()["S_WIDTH"]
        beats = min(ratio, -(-len(packets[0].data) * 8 // width))
        latency = 1 if ratio == 1 else 2
        assert left.clocks[0] - entered.clocks[beats - 1] == latency


@pytest.mark.parametrize("widths", [(64, 512), (512, 64), (64, 192), (256, 128), (64, 64)])
def test_axis_width(widths):
    simulate("ww_axis_width", {"S_WIDTH": widths[0], "M_WIDTH": widths[1], "USER_WIDTH": 65})
