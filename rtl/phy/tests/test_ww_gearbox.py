"""Gearboxes: no bit is lost or moved, and the clocks in which blocks go in and come out are the published ones."""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge

import clause49 as r
from testing import parameters, simulate, start

# States of a period of 33 words of 40 bits in which a block goes in, and comes out.
TAKES_40 = [0, 1, 3, 4, 6, 8, 9, 11, 13, 14, 16, 18, 19, 21, 23, 24, 26, 28, 29, 31]
GIVES_40 = [1, 3, 4, 6, 8, 9, 11, 13, 14, 16, 18, 19, 21, 23, 24, 26, 28, 29, 31, 32]


@cocotb.test()
async def words_of_blocks(dut):
    width = parameters()["WIDTH"]
    sent, got, takes = [], [], []
    blocks = [random.getrandbits(66) for _ in range(4000)]
    dut.block.value = blocks[0]
    await start(dut)
    # The clock after `start` is the first without reset: its edge is past.
    taken = 1
    sent += r.bits(blocks[0], 66)
    takes.append(0)
    dut.block.value = blocks[1]
    for clock in range(1, 33 * 60):
        await RisingEdge(dut.clk)
        got += r.bits(int(dut.word.value), width) if clock > 0 else []
        if int(dut.take.value):
            sent += r.bits(blocks[taken], 66)
            takes.append(clock)
            taken += 1
        dut.block.value = blocks[taken]
    assert got == sent[: len(got)]
    if width == 40:
        assert takes == [33 * n + state for n in range(60) for state in TAKES_40]
    assert len(takes) == -(-33 * 60 * width // 66)


@cocotb.test()
async def blocks_of_words(dut):
    width = parameters()["WIDTH"]
    stream = r.bits(random.getrandbits(66 * 4000), 66 * 4000)
    got, gives = [], []
    dut.slip.value = 0
    dut.word.value = r.number(stream[:width])
    await start(dut)
    for clock in range(1, 33 * 60 + 1):
        dut.word.value = r.number(stream[clock * width : (clock + 1) * width])
        await RisingEdge(dut.clk)
        if int(dut.block_valid.value):
            got += r.bits(int(dut.block.value), 66)
            gives.append(clock - 1)
    assert got == stream[: len(got)]
    if width == 40:
        assert gives == [33 * n + state for n in range(60) for state in GIVES_40]
    assert len(gives) == 33 * 60 * width // 66


@cocotb.test()
async def slips(dut):
    """Each slip leaves out one bit between two blocks; the block with `slip_done` is the last in front of it."""
    width = parameters()["WIDTH"]
    stream = r.bits(random.getrandbits(66 * 9000), 66 * 9000)
    dut.slip.value = 0
    dut.word.value = r.number(stream[:width])
    await start(dut)
    place, wanted, done, pending, clock = 0, 0, 0, False, 0
    while done < 70:
        clock += 1
        dut.word.value = r.number(stream[clock * width : (clock + 1) * width])
        ask = not pending and random.random() < 0.05
        dut.slip.value = int(ask)
        pending = pending or ask
        wanted += ask
        await RisingEdge(dut.clk)
        if int(dut.block_valid.value):
            assert int(dut.block.value) == r.number(stream[place : place + 66]), f"block at {place}"
            place += 66
        if int(dut.slip_done.value):
            assert int(dut.block_valid.value)
            place, done, pending = place + 1, done + 1, False
    assert done == wanted


@pytest.mark.parametrize("width", [32, 40, 64])
def test_gearbox_transmit(width):
    simulate("ww_gearbox_transmit", {"WIDTH": width}, testcase="words_of_blocks")


@pytest.mark.parametrize("width", [32, 40, 64])
def test_gearbox_receive(width):
    simulate("ww_gearbox_receive", {"WIDTH": width}, testcase=["blocks_of_words", "slips"])
