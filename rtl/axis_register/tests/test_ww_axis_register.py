"""ww_axis_register: order and content under random gaps; one beat a clock, one clock later."""

import random

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge

from testing import (
    Beats,
    check_pass_through,
    random_packet,
    simulate,
    sink,
    source,
    start,
)


@cocotb.test()
async def keeps_packets(dut):
    await start(dut)
    packets = [random_packet(300) for _ in range(150)]
    await check_pass_through(dut, packets, stop=random.random() * 0.7, wait=random.random() * 0.7)


@cocotb.test()
async def one_beat_a_clock_one_clock_later(dut):
    output, given = sink(dut), source(dut)
    entered, left = Beats(dut, "s_axis"), Beats(dut, "m_axis")
    await start(dut)
    for _ in range(10):
        given.send_nowait(random_packet(200).frame())
    for _ in range(10):
        await output.recv()
    assert entered.one_a_clock() and left.one_a_clock()
    assert left.clocks[0] - entered.clocks[0] == 1


@cocotb.test()
async def has_no_path_between_the_sides(dut):
    """Inputs that change within a clock do not change an output before the next clock."""
    await start(dut)
    for _ in range(200):
        dut.s_axis_tvalid.value = random.random() < 0.5
        dut.m_axis_tready.value = random.random() < 0.5
        await ReadOnly()
        before = (dut.s_axis_tready.value, dut.m_axis_tvalid.value)
        await cocotb.triggers.Timer(1, "ns")
        dut.s_axis_tvalid.value = random.random() < 0.5
        dut.m_axis_tready.value = random.random() < 0.5
        await ReadOnly()
        assert (dut.s_axis_tready.value, dut.m_axis_tvalid.value) == before
        await RisingEdge(dut.clk)


@pytest.mark.quick("512")
@pytest.mark.parametrize("width", [8, 512])
def test_axis_register(width):
    simulate("ww_axis_register", {"WIDTH": width, "USER_WIDTH": 65})
