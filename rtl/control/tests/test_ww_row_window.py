"""ww_row_window and ww_axil_cfg: an AXI4-Lite master against a list of rows behind the row port."""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from testing import parameters, pauses, simulate, start


async def serve_rows(dut, width, rows):
    """The object behind the row port: done at once or some clocks later, and not always idle."""
    dut.row_done.value = 0
    while True:
        await RisingEdge(dut.clk)
        dut.row_done.value = 0
        dut.row_rdata.value = random.getrandbits(width)
        if not int(dut.row_valid.value) or int(dut.row_done.value):
            continue
        access = [int(getattr(dut, f"row_{n}").value) for n in ["write", "memory", "index", "wdata"]]
        for _ in range(random.choice([0, 0, 1, 7])):
            await RisingEdge(dut.clk)
            now = [int(getattr(dut, f"row_{n}").value) for n in ["write", "memory", "index", "wdata"]]
            assert int(dut.row_valid.value) and now == access, "the access must be held until row_done"
        write, memory, index, data = access
        if write:
            rows[memory, index] = data
        else:
            dut.row_rdata.value = rows.get((memory, index), 0)
        dut.row_done.value = 1


@cocotb.test()
async def words_and_rows(dut):
    width = parameters()["ROW_WIDTH"]
    words = (width + 31) // 32
    rows = {}
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    for side in [master.write_if, master.read_if]:
        side.log.setLevel("WARNING")
    for channel in [master.write_if.b_channel, master.read_if.r_channel]:
        channel.set_pause_generator(pauses(0.3))
    cocotb.start_soon(serve_rows(dut, width, rows))
    await start(dut)
    base = 2 << 12
    assert await master.read_dword(base + 0x8) == width
    assert await master.read_dword(base + 0xC) == 0xC0FFEE
    model = {}
    for _ in range(60):
        memory, index = random.randrange(16), random.choice([0, 1, 5, (1 << 28) - 1])
        command = memory << 28 | index
        if random.random() < 0.5:
            row = random.getrandbits(32 * words)
            await master.write_dwords(base + 0x400, [row >> 32 * i & 0xFFFFFFFF for i in range(words)])
            await master.write_dword(base, command)
            # The answer of the write says that the row is stored.
            model[memory, index] = row & (1 << width) - 1
            assert rows[memory, index] == model[memory, index]
        else:
            await master.write_dword(base + 4, command)
            read = await master.read_dwords(base + 0x400, words)
            assert sum(word << 32 * i for i, word in enumerate(read)) == model.get((memory, index), 0)
    # There are no such words: they read as zero and change nothing.
    for address in [0, 4, 0x10, 0x400 + 4 * words, 0xFFC]:
        assert await master.read_dword(base + address) == 0
    for address in [8, 0xC, 0x10, 0x400 + 4 * words, 0xFFC]:
        await master.write_dword(base + address, 0xFFFFFFFF)
    assert await master.read_dword(base + 0x8) == width
    assert rows == model


@cocotb.test()
async def errors(dut):
    width = parameters()["ROW_WIDTH"]
    rows = {}
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    for side in [master.write_if, master.read_if]:
        side.log.setLevel("WARNING")
    cocotb.start_soon(serve_rows(dut, width, rows))
    await start(dut)
    assert (await master.write(2 << 12, bytes(4))).resp == AxiResp.OKAY
    for beyond in [3 << 12, 0xFFF << 12]:
        assert (await master.write(beyond, bytes(4))).resp == AxiResp.SLVERR
        assert (await master.read(beyond, 4)).resp == AxiResp.SLVERR
    # Part of a word.
    assert (await master.write((2 << 12) + 1, bytes([5]))).resp == AxiResp.SLVERR
    assert list(rows) == [(0, 0)]


@cocotb.test()
async def reads_and_writes_take_turns(dut):
    """Neither a stream of reads nor a stream of writes keeps the other waiting."""
    width = parameters()["ROW_WIDTH"]
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    for side in [master.write_if, master.read_if]:
        side.log.setLevel("WARNING")
    cocotb.start_soon(serve_rows(dut, width, {}))
    await start(dut)
    order = []

    async def repeat(kind, count):
        for _ in range(count):
            if kind == "read":
                await master.read_dword((2 << 12) + 8)
            else:
                await master.write_dword((2 << 12) + 0x400, 1)
            order.append(kind)

    tasks = [cocotb.start_soon(repeat("read", 20)), cocotb.start_soon(repeat("write", 20))]
    for task in tasks:
        await task
    for first in range(0, 30):
        assert set(order[first : first + 6]) == {"read", "write"}, order


@pytest.mark.quick("77")
@pytest.mark.parametrize("width", [1, 32, 77])
def test_window(width):
    simulate("ww_window_bench", {"ROW_WIDTH": width})


def test_illegal_parameters_do_not_build():
    with pytest.raises(RuntimeError, match="ROW_WIDTH must be 1 to 24576"):
        simulate("ww_row_window", {"ROW_WIDTH": 24577})
    with pytest.raises(RuntimeError, match="OBJECTS must be 1 to 4096"):
        simulate("ww_axil_cfg", {"OBJECTS": 0})
