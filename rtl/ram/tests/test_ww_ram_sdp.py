"""ww_ram_sdp against a list: random reads and writes in every clock."""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge

from testing import parameters, simulate, start


@cocotb.test()
async def reads_what_was_written(dut):
    depth, width = parameters()["DEPTH"], parameters()["WIDTH"]
    latency = parameters()["LATENCY"]
    model = [0] * depth
    # Words that reads of the last clocks gave; rd_data holds the newest one that is out.
    expected = [0] * latency
    dut.wr_en.value = 0
    dut.rd_en.value = 0
    await start(dut, reset=None)
    for _ in range(5000):
        write, read = random.random() < 0.5, random.random() < 0.7
        wr_addr = random.randrange(depth)
        rd_addr = wr_addr if random.random() < 0.3 else random.randrange(depth)
        wr_data = random.getrandbits(width)
        dut.wr_en.value, dut.wr_addr.value, dut.wr_data.value = write, wr_addr, wr_data
        dut.rd_en.value, dut.rd_addr.value = read, rd_addr
        await RisingEdge(dut.clk)
        # What was there before this edge.
        assert int(dut.rd_data.value) == expected[0]
        expected = expected[1:] + [model[rd_addr] if read else expected[-1]]
        if write:
            model[wr_addr] = wr_data


@pytest.mark.quick("12-2")
@pytest.mark.parametrize("latency", [1, 2])
@pytest.mark.parametrize("depth", [1, 12])
def test_ram(depth, latency):
    simulate("ww_ram_sdp", {"WIDTH": 33, "DEPTH": depth, "LATENCY": latency})


@pytest.mark.parametrize("parameter", [{"DEPTH": 0}, {"WIDTH": 0}, {"LATENCY": 3}, {"STYLE": "x"}])
def test_illegal_parameters_do_not_build(parameter):
    with pytest.raises(RuntimeError, match="ww_ram_sdp: .* must be"):
        simulate("ww_ram_sdp", parameter)
