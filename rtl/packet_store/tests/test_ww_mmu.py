"""ww_mmu: random malloc and free against a model. WW_MMU_OPERATIONS sets the number of operations."""

import os
import random

import cocotb
import pytest
from cocotb.triggers import ClockCycles, ReadOnly, RisingEdge

from testing import parameters, simulate, start

OPERATIONS = int(os.environ.get("WW_MMU_OPERATIONS", "100000"))


async def begin(dut):
    dut.malloc_valid.value = dut.free_valid.value = 0
    dut.malloc_bytes.value = dut.free_pid.value = dut.walk_cell.value = 0
    await start(dut, longest=100 * OPERATIONS)
    for _ in range(parameters()["CELLS"] + 1):
        await RisingEdge(dut.clk)
    assert int(dut.free_cells.value) == parameters()["CELLS"]


async def cells_of(dut, pid, count):
    """Follows a packet's cells."""
    cells = [pid]
    while len(cells) < count:
        dut.walk_cell.value = cells[-1]
        await ReadOnly()
        cells.append(int(dut.walk_next.value))
        await RisingEdge(dut.clk)
    return cells


class Model:
    """Drives both ports at random and keeps account of what must be held."""

    def __init__(self, dut):
        self.dut = dut
        self.cells, self.cell_bytes = parameters()["CELLS"], parameters()["CELL_BYTES"]
        self.held = {}  # pid: number of cells
        self.used = 0
        self.given = set()  # pids that were ever given
        self.mallocs = self.frees = self.failed = self.double = self.bad = 0
        # What the ports do at present.
        self.malloc_bytes = self.free_pid = None
        self.malloc_clocks = 0

    def operations(self):
        return self.mallocs + self.frees + self.failed + self.double + self.bad

    def ask(self):
        """Begins something at the ports that do nothing."""
        if self.malloc_bytes is None and random.random() < 0.8:
            self.malloc_bytes = random.choice(
                [0, 1, self.cell_bytes, self.cell_bytes + 1]
                + [random.randint(1, min(self.cells, 8) * self.cell_bytes)] * 4
                + [random.randint(1, self.cells * self.cell_bytes)]
            )
            self.malloc_clocks = 0
            self.dut.malloc_bytes.value = self.malloc_bytes
            self.dut.malloc_valid.value = 1
        if self.free_pid is None and random.random() < 0.8:
            # Now and then a pid that is not held: freed before, inside a packet, or never given.
            if random.random() < 0.05 or not self.held:
                self.free_pid = random.randrange(2 ** (self.cells - 1).bit_length())
            elif random.random() < 0.3 + 0.6 * (self.used > self.cells / 2):
                self.free_pid = random.choice(list(self.held))
            else:
                return
            self.dut.free_pid.value = self.free_pid
            self.dut.free_valid.value = 1

    async def clock(self):
        """One clock: takes account of what ended in it."""
        await RisingEdge(self.dut.clk)
        free_cells = self.cells - self.used
        got = None
        if self.malloc_bytes is not None:
            self.malloc_clocks += 1
            if self.dut.malloc_done.value == 1:
                count = -(-self.malloc_bytes // self.cell_bytes)
                if self.dut.malloc_failed.value == 1:
                    assert count == 0 or count > free_cells
                    self.failed += 1
                else:
                    got = int(self.dut.malloc_pid.value)
                    assert got not in self.held and got < self.cells
                    assert self.malloc_clocks == count + 1
                self.malloc_bytes = None
                self.dut.malloc_valid.value = 0
        if self.free_pid is not None and self.dut.free_ready.value == 1:
            if self.free_pid in self.held:
                self.used -= self.held.pop(self.free_pid)
                self.frees += 1
            else:
                self.double += self.free_pid in self.given
                self.bad += self.free_pid not in self.given
            self.free_pid = None
            self.dut.free_valid.value = 0
        if got is not None:
            self.held[got] = count
            self.used += count
            self.given.add(got)
            self.mallocs += 1


@cocotb.test()
async def random_operations(dut):
    await begin(dut)
    model = Model(dut)
    check = 0
    while model.operations() < OPERATIONS:
        check += 1
        if check % 20000:
            model.ask()
            await model.clock()
            continue
        while model.malloc_bytes is not None or model.free_pid is not None:
            await model.clock()
        await check_all(dut, model.held)
    while model.malloc_bytes is not None or model.free_pid is not None:
        await model.clock()
    await check_all(dut, model.held)
    for pid in model.held:
        dut.free_pid.value = pid
        dut.free_valid.value = 1
        await RisingEdge(dut.clk)
    dut.free_valid.value = 0
    await ClockCycles(dut.clk, 2)
    assert int(dut.free_cells.value) == model.cells, "a leak"
    assert int(dut.double_frees.value) == model.double > 0
    assert int(dut.bad_pids.value) == model.bad
    assert int(dut.failed_mallocs.value) == model.failed > 0


async def check_all(dut, held):
    """No cell belongs to two packets, and the others are counted as free."""
    await RisingEdge(dut.clk)
    used = []
    for pid, count in held.items():
        used += await cells_of(dut, pid, count)
    assert len(set(used)) == len(used), "a cell in two packets"
    assert int(dut.free_cells.value) == parameters()["CELLS"] - len(used)


@cocotb.test()
async def counts_wrong_frees(dut):
    await begin(dut)
    cell_bytes = parameters()["CELL_BYTES"]
    dut.malloc_bytes.value, dut.malloc_valid.value = 3 * cell_bytes, 1
    while True:
        await ReadOnly()
        if dut.malloc_done.value == 1:
            break
        await RisingEdge(dut.clk)
    pid = int(dut.malloc_pid.value)
    await RisingEdge(dut.clk)
    dut.malloc_valid.value = 0
    # Its second cell is no pid; then the packet twice.
    second = (await cells_of(dut, pid, 2))[1]
    for number in (second, pid, pid):
        dut.free_pid.value, dut.free_valid.value = number, 1
        await RisingEdge(dut.clk)
    dut.free_valid.value = 0
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    assert (int(dut.bad_pids.value), int(dut.double_frees.value)) == (1, 1)
    assert int(dut.free_cells.value) == parameters()["CELLS"]


async def malloc(dut, size):
    """Asks for so many bytes: the pid, or None if it is refused."""
    dut.malloc_bytes.value, dut.malloc_valid.value = size, 1
    while True:
        await ReadOnly()
        if dut.malloc_done.value == 1:
            break
        await RisingEdge(dut.clk)
    pid = None if dut.malloc_failed.value == 1 else int(dut.malloc_pid.value)
    await RisingEdge(dut.clk)
    dut.malloc_valid.value = 0
    return pid


async def free(dut, pid):
    dut.free_pid.value, dut.free_valid.value = pid, 1
    while True:
        await ReadOnly()
        if dut.free_ready.value == 1:
            break
        await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    dut.free_valid.value = 0


@cocotb.test()
async def rounds_up_to_cells(dut):
    """Packets of 1 to 2,048 bytes take whole cells; as many packets as cells, and not one more."""
    await begin(dut)
    cells, cell_bytes = parameters()["CELLS"], parameters()["CELL_BYTES"]
    for size in range(1, 2049):
        pid = await malloc(dut, size)
        await RisingEdge(dut.clk)
        await ReadOnly()
        assert cells - int(dut.free_cells.value) == (size + cell_bytes - 1) // cell_bytes, size
        await RisingEdge(dut.clk)
        await free(dut, pid)
        await ClockCycles(dut.clk, 2)
        assert int(dut.free_cells.value) == cells, size
    pids = [await malloc(dut, cell_bytes) for _ in range(cells)]
    assert sorted(pids) == list(range(cells))
    assert await malloc(dut, 1) is None
    for pid in pids:
        await free(dut, pid)
    await ClockCycles(dut.clk, 2)
    assert int(dut.free_cells.value) == cells


def test_mmu():
    simulate("ww_mmu", {"CELLS": 256, "CELL_BYTES": 256})


@pytest.mark.parametrize("cells", [2, 11])
def test_mmu_of_few_cells(cells):
    simulate("ww_mmu", {"CELLS": cells, "CELL_BYTES": 64}, testcase="random_operations",
             environment={"WW_MMU_OPERATIONS": "5000"})
