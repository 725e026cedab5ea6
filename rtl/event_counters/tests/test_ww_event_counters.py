"""ww_event_counters against Python's integers, with row accesses among the events."""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from testing import parameters, simulate, start


@cocotb.test(timeout_time=200, timeout_unit="us")
async def counts_every_event(dut):
    events, width = parameters()["EVENTS"], parameters().get("COUNT_WIDTH", 64)
    counts = [0] * events
    dut.event_valid.value = dut.row_valid.value = 0
    dut.row_memory.value = 0
    await start(dut)
    reads = 0
    for _ in range(3000):
        happened = random.getrandbits(events)
        kind, value = random.randrange(events + 1), random.getrandbits(width)
        access, write = random.random() < 0.4, random.random() < 0.1
        dut.event_valid.value = happened
        dut.row_valid.value, dut.row_write.value = int(access), int(write)
        dut.row_index.value, dut.row_wdata.value = kind, value
        await Timer(1, "ns")
        assert int(dut.row_done.value) == int(access)
        if access and not write:
            # A kind that does not exist reads as zero.
            assert int(dut.row_rdata.value) == (counts[kind] if kind < events else 0)
            reads += 1
        for n in range(events):
            counts[n] = (counts[n] + (happened >> n & 1)) % 2**width
        if access and write and kind < events:
            counts[kind] = value
        await RisingEdge(dut.clk)
    assert reads > 500


@pytest.mark.parametrize("parameters", [{"EVENTS": 5}, {"EVENTS": 1, "COUNT_WIDTH": 3}])
def test_event_counters(parameters):
    simulate("ww_event_counters", parameters)
