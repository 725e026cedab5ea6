"""ww_axis_async_fifo: order and content between clocks of many ratios."""

import os
import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Timer, with_timeout
from cocotb.utils import get_sim_time

from testing import pauses, random_packet, receive, simulate, sink, source

# Periods in picoseconds: equal, close, far apart in both directions.
RATIOS = [(4000, 4000), (4000, 4002), (3100, 8000), (8000, 3100), (2000, 26000), (26000, 2000)]


async def begin(dut, s_period, m_period):
    """Starts both clocks, one with a random phase, and resets both sides."""
    Clock(dut.s_clk, s_period, unit="ps").start()
    cocotb.start_soon(late_clock(dut.m_clk, m_period))
    dut.s_rst.value = dut.m_rst.value = 1
    await Timer(6 * max(s_period, m_period), "ps")
    dut.s_rst.value = dut.m_rst.value = 0
    await ClockCycles(dut.s_clk, 2)
    await ClockCycles(dut.m_clk, 2)


async def late_clock(signal, period):
    await Timer(random.randrange(2, period, 2), "ps")
    Clock(signal, period, unit="ps").start()


@cocotb.test()
async def keeps_packets(dut):
    s_period, m_period = map(int, os.environ["PERIODS"].split(","))
    output, given = sink(dut, clock="m_clk"), source(dut, clock="s_clk")
    await begin(dut, s_period, m_period)
    for stop, wait in ((0.0, 0.0), (0.5, 0.0), (0.0, 0.5), (0.3, 0.3)):
        output.set_pause_generator(pauses(stop))
        given.set_pause_generator(pauses(wait))
        packets = [random_packet(200) for _ in range(60)]
        for packet in packets:
            given.send_nowait(packet.frame())
        for number, packet in enumerate(packets):
            assert await with_timeout(receive(output), 200, "us") == packet, f"packet {number}"
    await ClockCycles(dut.m_clk, 20)
    assert output.empty()


@cocotb.test()
async def as_fast_as_the_slower_clock(dut):
    s_period, m_period = map(int, os.environ["PERIODS"].split(","))
    output, given = sink(dut, clock="m_clk"), source(dut, clock="s_clk")
    await begin(dut, s_period, m_period)
    packet = random_packet(8000, shortest=8000)
    given.send_nowait(packet.frame())
    begun = get_sim_time("ps")
    assert await receive(output) == packet
    beats = 8000 // 8
    # Some clocks of both sides for the way through.
    slack = 12 * (s_period + m_period)
    assert get_sim_time("ps") - begun <= beats * max(s_period, m_period) + slack


@pytest.mark.parametrize("periods", RATIOS)
def test_axis_async_fifo(periods):
    environment = {"PERIODS": f"{periods[0]},{periods[1]}"}
    parameters = {"WIDTH": 64, "USER_WIDTH": 65, "DEPTH": 16}
    simulate("ww_axis_async_fifo", parameters, environment=environment)


def test_smallest_axis_async_fifo():
    simulate(
        "ww_axis_async_fifo",
        {"WIDTH": 64, "USER_WIDTH": 65, "DEPTH": 4},
        testcase="keeps_packets",
        environment={"PERIODS": "3000,3100"},
    )
