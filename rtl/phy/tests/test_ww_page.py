"""ww_page_write and ww_page_read: the layout of pages, the ring, what happens when it is full and empty."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import RisingEdge

from testing import parameters, pauses, simulate, start

BLOCKS = 496
IDLE = 0x1E << 2 | 0b01


async def begin(dut) -> None:
    dut.block_valid.value = 0
    dut.take.value = 0
    dut.release_pages.value = 1
    await start(dut, longest=5_000_000)


def some_block() -> int:
    return random.getrandbits(66)


@cocotb.test()
async def pages_have_the_layout(dut):
    """Header i in bits 2 i of the first 992 bits, zeros up to byte 128, payload i at byte 128 + 8 i."""
    await begin(dut)
    dut.take.value = 1
    blocks = [some_block() for _ in range(BLOCKS * 3)]
    memory = {}
    sent = iter(pauses(0.2))
    number = 0
    while int(dut.pages_written.value) < 3:
        offered = number < len(blocks) and not next(sent)
        dut.block_valid.value = int(offered)
        dut.block_in.value = blocks[number] if number < len(blocks) else 0
        number += offered
        await RisingEdge(dut.clk)
        if int(dut.write_enable.value):
            memory[int(dut.write_address.value)] = int(dut.write_data.value)
    await RisingEdge(dut.clk)
    if int(dut.write_enable.value):
        memory[int(dut.write_address.value)] = int(dut.write_data.value)
    for page in range(3):
        data = b"".join(memory[256 * page + word].to_bytes(16, "little") for word in range(256))
        assert data[124:128] == bytes(4)
        for i in range(BLOCKS):
            block = blocks[BLOCKS * page + i]
            field = int.from_bytes(data[i // 16 * 4 : i // 16 * 4 + 4], "little") >> 2 * (i % 16) & 3
            assert field == block & 3, f"header {i} of page {page}"
            payload = int.from_bytes(data[128 + 8 * i : 136 + 8 * i], "little")
            assert payload == block >> 2, f"payload {i} of page {page}"


@cocotb.test()
async def what_goes_in_comes_out(dut):
    """Around the ring some times, with pauses on both sides; idle is between pages and nowhere else."""
    await begin(dut)
    pages = 6 * parameters()["PAGES"]
    waiting: deque[int] = deque()
    got, wanted, clock = 0, pages * BLOCKS, 0
    sends, takes = pauses(0.3), pauses(0.3)
    queued = 0
    while got < wanted:
        clock += 1
        block = some_block()
        offered = queued < wanted and len(waiting) < BLOCKS and not next(sends)
        dut.block_valid.value = int(offered)
        dut.block_in.value = block
        if offered:
            waiting.append(block)
            queued += 1
        taken = not next(takes)
        dut.take.value = int(taken)
        await RisingEdge(dut.clk)
        assert not int(dut.dropped.value)
        if taken:
            found = int(dut.block_out.value)
            if int(dut.idle.value):
                assert found == IDLE
                assert got % BLOCKS == 0, "idle within a page"
            else:
                assert found == waiting.popleft(), f"block {got}"
                got += 1
    assert int(dut.pages_written.value) == pages


@cocotb.test()
async def a_block_each_clock(dut):
    """Both sides at full rate: from the first block on, one in each clock."""
    await begin(dut)
    dut.take.value = 1
    dut.block_valid.value = 1
    first = None
    sent: deque[int] = deque()
    for clock in range(BLOCKS * 10):
        block = some_block()
        dut.block_in.value = block
        await RisingEdge(dut.clk)
        sent.append(block)
        assert not int(dut.dropped.value)
        if not int(dut.idle.value):
            first = clock if first is None else first
            assert int(dut.block_out.value) == sent.popleft()
        else:
            assert first is None
    # A page, and some clocks to write the last headers and to read the first ones.
    assert BLOCKS < first < BLOCKS + 16, first


@cocotb.test()
async def a_full_ring_drops(dut):
    """Without a reader, as many pages as there are; what comes then is dropped and counted, and no page is half."""
    await begin(dut)
    pages = parameters()["PAGES"]
    dut.release_pages.value = 0
    dut.block_valid.value = 1
    blocks, dropped = [], 0
    for _ in range((pages + 2) * BLOCKS):
        block = some_block()
        dut.block_in.value = block
        blocks.append(block)
        await RisingEdge(dut.clk)
        dropped += int(dut.dropped.value)
    dut.block_valid.value = 0
    await RisingEdge(dut.clk)
    dropped += int(dut.dropped.value)
    await RisingEdge(dut.clk)
    dropped += int(dut.dropped.value)
    assert int(dut.pages_written.value) == pages
    assert dropped == 2 * BLOCKS
    dut.release_pages.value = 1
    dut.take.value = 1
    got = []
    while len(got) < pages * BLOCKS:
        await RisingEdge(dut.clk)
        if not int(dut.idle.value):
            got.append(int(dut.block_out.value))
    assert got == blocks[: pages * BLOCKS]


CASES = ["pages_have_the_layout", "what_goes_in_comes_out", "a_block_each_clock", "a_full_ring_drops"]


@pytest.mark.quick("4")
@pytest.mark.parametrize("pages", [2, 4, 32])
def test_pages(pages):
    cases = CASES if pages > 2 else CASES[1:]
    simulate("ww_page_loop", {"PAGES": pages}, testcase=cases)
