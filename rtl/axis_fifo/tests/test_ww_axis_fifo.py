"""ww_axis_fifo: order and content under random gaps; latency, throughput and capacity exactly."""

import random

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from testing import (
    Beats,
    check_pass_through,
    parameters,
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
    assert dut.level.value == 0


@cocotb.test()
async def one_beat_a_clock_two_clocks_later(dut):
    output, given = sink(dut), source(dut)
    entered, left = Beats(dut, "s_axis"), Beats(dut, "m_axis")
    await start(dut)
    for _ in range(10):
        given.send_nowait(random_packet(200).frame())
    for _ in range(10):
        await output.recv()
    assert entered.one_a_clock() and left.one_a_clock()
    assert left.clocks[0] - entered.clocks[0] == 2


@cocotb.test()
async def holds_its_depth(dut):
    depth = parameters()["DEPTH"]
    output, given = sink(dut), source(dut)
    output.pause = True
    entered = Beats(dut, "s_axis")
    await start(dut)
    for _ in range(depth + 10):
        given.send_nowait(b"\x55")
    await ClockCycles(dut.clk, depth + 20)
    assert len(entered.clocks) == int(dut.level.value) == depth + 1
    output.pause = False
    for _ in range(depth + 10):
        assert (await output.recv()).tdata == b"\x55"


@pytest.mark.parametrize("width, depth", [(32, 16), (512, 37)])
def test_axis_fifo(width, depth):
    simulate("ww_axis_fifo", {"WIDTH": width, "USER_WIDTH": 65, "DEPTH": depth})
