"""Memory of a trie level: power-up, reads, writes, also in its part above the power of two."""

import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

from testing import parameters, simulate


@cocotb.test()
async def reads_and_writes(dut):
    """A read gives the word LATENCY clocks later, and it is held; rows being read are not written."""
    shape = parameters()
    depth, width, latency = shape["DEPTH"], shape["WIDTH"], shape["LATENCY"]
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    words = [0] * depth
    # What rd_data shows in each of the coming clocks; None: not known yet.
    coming: list[int | None] = [None] * latency
    last_row = 0
    for _ in range(4000):
        await FallingEdge(dut.clk)
        if coming[0] is not None:
            assert dut.rd_data.value.to_unsigned() == coming[0]
        # Often around the border between the two RAMs.
        near = [random.randrange(depth), depth - 1 - random.randrange(40) % depth]
        read, write = random.random() < 0.6, random.random() < 0.6
        row, target = random.choice(near), random.choice(near)
        last_row = row if read else last_row
        write = write and target != last_row
        word = random.getrandbits(width)
        dut.rd_en.value, dut.rd_addr.value = read, row
        dut.wr_en.value, dut.wr_addr.value, dut.wr_data.value = write, target, word
        coming = [*coming[1:], words[row] if read else coming[-1]]
        if write:
            words[target] = word


@pytest.mark.quick("513-2")
@pytest.mark.parametrize(("depth", "latency"), [(544, 1), (513, 2)])
def test_ww_lpm_memory(depth, latency):
    simulate("ww_lpm_memory", {"WIDTH": 9, "DEPTH": depth, "LATENCY": latency})
