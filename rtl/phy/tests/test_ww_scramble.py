"""ww_scramble and ww_descramble: the serial form, the specification's vectors, any state at the start."""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge

import clause49 as r
from testing import parameters, simulate, start

# Words of idle from a state of ones.
VECTORS = [0x7BFFF0800000001E, 0x85CFF0FFFFF8401E, 0x85D84F0118079EE1, 0x85D815FEE8479EE9]


@cocotb.test()
async def adds_its_past(dut):
    width = parameters()["WIDTH"]
    dut.enable.value = 0
    await start(dut)
    scrambler = r.Scrambler()
    words = [0x1E] * 4 + [random.getrandbits(64) for _ in range(10_000 if width >= 32 else 500)]
    stream = [bit for word in words for bit in r.bits(word, 64)]
    got, due = [], []
    for i in range(0, len(stream) - width + 1, width):
        dut.plain.value = r.number(stream[i : i + width])
        dut.enable.value = 1
        await RisingEdge(dut.clk)
        dut.enable.value = 0
        while random.random() < 0.1:
            await RisingEdge(dut.clk)
        await RisingEdge(dut.clk)
        got += r.bits(int(dut.scrambled.value), width)
        due += scrambler.scramble([0, 0] + stream[i : i + width])[2:]
    assert got == due
    assert [r.number(got[64 * i : 64 * i + 64]) for i in range(4)] == VECTORS


@cocotb.test()
async def takes_the_past_away(dut):
    width = parameters()["WIDTH"]
    dut.enable.value = 0
    await start(dut)
    scrambler = r.Scrambler()
    for _ in range(3):
        scrambler.scramble(r.bits(random.getrandbits(66), 66))
    got, sent = [], []
    for _ in range(2_000):
        plain = r.bits(random.getrandbits(width), width)
        dut.scrambled.value = r.number(scrambler.scramble([0, 0] + plain)[2:])
        dut.enable.value = 1
        await RisingEdge(dut.clk)
        dut.enable.value = 0
        await RisingEdge(dut.clk)
        got += r.bits(int(dut.plain.value), width)
        sent += plain
    assert got[58:] == sent[58:]


@pytest.mark.quick("64")
@pytest.mark.parametrize("width", [1, 32, 64, 128])
def test_scramble(width):
    simulate("ww_scramble", {"WIDTH": width}, testcase="adds_its_past")


@pytest.mark.quick("64")
@pytest.mark.parametrize("width", [1, 32, 64, 128])
def test_descramble(width):
    simulate("ww_descramble", {"WIDTH": width}, testcase="takes_the_past_away")
