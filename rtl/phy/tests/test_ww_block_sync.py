"""ww_block_sync and ww_ber_monitor: when they lock, unlock, slip and complain, to the header."""

import random

import cocotb
from cocotb.triggers import RisingEdge

from testing import parameters, simulate, start

GOOD, BAD = (0b01, 0b10), (0b00, 0b11)


async def header(dut, good: bool) -> None:
    """One header, with pauses; what it does is visible afterwards."""
    while random.random() < 0.2:
        await RisingEdge(dut.clk)
    dut.header.value = random.choice(GOOD if good else BAD)
    dut.header_valid.value = 1
    await RisingEdge(dut.clk)
    dut.header_valid.value = 0
    await RisingEdge(dut.clk)


async def slipped(dut) -> None:
    """The slip that was asked for is made."""
    assert int(dut.slip.value) == 1
    for _ in range(random.randrange(5)):
        await header(dut, False)
        assert int(dut.slip.value) == 0, "it waits"
    dut.slip_done.value = 1
    await RisingEdge(dut.clk)
    dut.slip_done.value = 0


async def lock(dut) -> None:
    for _ in range(63):
        await header(dut, True)
        assert int(dut.locked.value) == 0
    await header(dut, True)
    assert int(dut.locked.value) == 1


async def begin(dut) -> None:
    dut.header_valid.value = 0
    dut.slip_done.value = 0
    await start(dut)


@cocotb.test()
async def locks_after_64(dut):
    await begin(dut)
    offset = 0
    for _ in range(70):
        for _ in range(random.randrange(64)):
            await header(dut, True)
        await header(dut, False)
        offset = (offset + 1) % 66
        assert int(dut.offset.value) == offset
        await slipped(dut)
    await lock(dut)


@cocotb.test()
async def unlocks_at_16(dut):
    await begin(dut)
    await lock(dut)
    # Fifteen in a window, anywhere, do not matter, window after window.
    for _ in range(10):
        bad = set(random.sample(range(64), 15))
        for n in range(64):
            await header(dut, n not in bad)
            assert int(dut.locked.value) == 1
    # The sixteenth does.
    bad = sorted(random.sample(range(64), 16))
    for n in range(bad[-1] + 1):
        assert int(dut.locked.value) == 1
        await header(dut, n not in bad)
    assert int(dut.locked.value) == 0
    await slipped(dut)
    await lock(dut)


@cocotb.test()
async def monitors(dut):
    window = parameters()["WINDOW"]
    dut.header_valid.value = 0
    dut.locked.value = 1
    await start(dut)
    due = 0
    for count in (15, 16, 15, 3, 40, 16, 0, 15):
        bad = set(random.sample(range(window), count))
        seen = 0
        for n in range(window):
            await header(dut, n not in bad)
            seen += n in bad
            if seen >= 16:
                due = 1
            elif n == window - 1:
                due = 0
            assert int(dut.hi_ber.value) == due, f"{count}: header {n}, {seen} bad ones"
    for _ in range(16):
        await header(dut, False)
    assert int(dut.hi_ber.value) == 1
    dut.locked.value = 0
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    assert int(dut.hi_ber.value) == 0


def test_block_sync():
    simulate("ww_block_sync", testcase=["locks_after_64", "unlocks_at_16"])


def test_ber_monitor():
    simulate("ww_ber_monitor", {"WINDOW": 100}, testcase="monitors")
