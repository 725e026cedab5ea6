"""ww_event_merge: no event is lost, and one leaves a clock."""

import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge

from testing import parameters, simulate, start


@cocotb.test()
async def loses_none(dut):
    sources = parameters()["SOURCES"]
    dut.s_event.value = 0
    await start(dut)
    given = counted = 0

    async def count():
        nonlocal counted
        while True:
            await RisingEdge(dut.clk)
            counted += int(dut.m_event.value)

    cocotb.start_soon(count())
    for _ in range(500):
        events = random.getrandbits(sources) & random.getrandbits(sources)
        given += events.bit_count()
        dut.s_event.value = events
        await RisingEdge(dut.clk)
    dut.s_event.value = 0
    await ClockCycles(dut.clk, 2)
    while dut.pending.value == 1:
        await RisingEdge(dut.clk)
    await ClockCycles(dut.clk, 2)
    assert counted == given > 500


def test_event_merge():
    simulate("ww_event_merge", {"SOURCES": 5})
