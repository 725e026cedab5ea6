"""ww_ram_async against a list: any address is read in any clock, also the one that is written."""

import random

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge

from testing import parameters, simulate, start


@cocotb.test()
async def reads_what_was_written(dut):
    depth, width = parameters()["DEPTH"], parameters()["WIDTH"]
    model = [0] * depth
    dut.wr_en.value = 0
    await start(dut, reset=None)
    for _ in range(2000):
        write, address = random.random() < 0.5, random.randrange(depth)
        read = address if random.random() < 0.3 else random.randrange(depth)
        data = random.getrandbits(width)
        dut.wr_en.value, dut.wr_addr.value, dut.wr_data.value = write, address, data
        dut.rd_addr.value = read
        await ReadOnly()
        # Without a clock, and before the word of this clock is stored.
        assert int(dut.rd_data.value) == model[read]
        await RisingEdge(dut.clk)
        if write:
            model[address] = data


def test_ram_async():
    simulate("ww_ram_async", {"WIDTH": 33, "DEPTH": 12})
