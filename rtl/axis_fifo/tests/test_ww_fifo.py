"""ww_fifo against a deque: every clock, with random gaps and back-pressure."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge

from testing import parameters, simulate, start


@cocotb.test()
async def is_a_queue(dut):
    depth, width = parameters()["DEPTH"], parameters()["WIDTH"]
    dut.s_valid.value = dut.m_ready.value = 0
    await start(dut)
    model = deque()
    filled = emptied = 0
    for clock in range(4000):
        # Runs in which it fills, empties, and works at both sides.
        mode = clock // 200 % 3
        dut.s_valid.value = random.random() < (0.9, 0.2, 0.7)[mode]
        dut.m_ready.value = random.random() < (0.2, 0.9, 0.7)[mode]
        dut.s_data.value = random.getrandbits(width)
        await ReadOnly()
        assert int(dut.level.value) == len(model)
        assert dut.m_valid.value == (len(model) > 0)
        assert dut.s_ready.value == (len(model) < depth)
        if model:
            assert int(dut.m_data.value) == model[0]
        filled += len(model) == depth
        emptied += not model
        pop = dut.m_valid.value == 1 and dut.m_ready.value == 1
        if dut.s_valid.value == 1 and dut.s_ready.value == 1:
            model.append(int(dut.s_data.value))
        if pop:
            model.popleft()
        await RisingEdge(dut.clk)
    assert filled and emptied


@cocotb.test()
async def passes_one_word_a_clock(dut):
    dut.s_valid.value = dut.m_ready.value = 1
    dut.s_data.value = 0
    await start(dut)
    while dut.m_valid.value == 0:
        await RisingEdge(dut.clk)
    for _ in range(100):
        assert dut.s_ready.value == 1 and dut.m_valid.value == 1
        await RisingEdge(dut.clk)


@pytest.mark.quick("5")
@pytest.mark.parametrize("depth", [2, 5, 16])
def test_fifo(depth):
    simulate("ww_fifo", {"WIDTH": 20, "DEPTH": depth})


def test_fifo_of_one_word():
    simulate("ww_fifo", {"WIDTH": 1, "DEPTH": 1}, testcase="is_a_queue")
