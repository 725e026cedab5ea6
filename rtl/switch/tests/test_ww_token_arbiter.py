"""ww_token_arbiter: keeps the words of a source in order, takes turns, gives one word a clock."""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from testing import parameters, simulate, start


async def play(dut, words, offers, takes, clocks):
    """Offers the words of every source and returns what comes out as (clock, source, word)."""
    sources, width = parameters()["SOURCES"], parameters()["WIDTH"]
    at, out, offered = [0] * sources, [], 0
    for clock in range(clocks):
        for n in range(sources):
            if at[n] < len(words[n]) and not offered >> n & 1 and random.random() < offers:
                offered |= 1 << n
        data = sum(words[n][at[n]] << n * width for n in range(sources) if offered >> n & 1)
        dut.s_valid.value, dut.s_data.value = offered, data
        dut.m_ready.value = random.random() < takes
        await RisingEdge(dut.clk)
        if dut.m_valid.value == 1 and dut.m_ready.value == 1:
            out.append((clock, int(dut.m_source.value), int(dut.m_data.value)))
        taken = offered & int(dut.s_ready.value)
        assert taken.bit_count() <= 1
        for n in range(sources):
            at[n] += taken >> n & 1
        offered &= ~taken
        await Timer(1, "ns")
    return out


@cocotb.test()
async def keeps_order(dut):
    sources, width = parameters()["SOURCES"], parameters()["WIDTH"]
    words = [[random.getrandbits(width) for _ in range(100)] for _ in range(sources)]
    dut.s_valid.value = 0
    await start(dut)
    out = await play(dut, words, 0.4, 0.7, 300 * sources)
    for n in range(sources):
        assert [word for _, source, word in out if source == n] == words[n]


@cocotb.test()
async def takes_turns(dut):
    """All sources always offer: one word a clock, and each has its turn."""
    sources, width = parameters()["SOURCES"], parameters()["WIDTH"]
    words = [[random.getrandbits(width) for _ in range(50)] for _ in range(sources)]
    dut.s_valid.value = 0
    await start(dut)
    out = await play(dut, words, 1, 1, 50 * sources + 2)
    assert len(out) == 50 * sources
    assert [clock for clock, *_ in out] == list(range(out[0][0], out[0][0] + len(out)))
    for at in range(0, len(out), sources):
        assert len({source for _, source, _ in out[at : at + sources]}) == sources


@pytest.mark.quick("5")
@pytest.mark.parametrize("sources", [2, 5])
def test_token_arbiter(sources):
    simulate("ww_token_arbiter", {"SOURCES": sources, "WIDTH": 20})
