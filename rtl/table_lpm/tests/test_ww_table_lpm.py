"""Longest prefix match: lookups in every clock while the C driver changes the table."""

import random
import subprocess
import sys
from pathlib import Path

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge

sys.path.insert(0, str(Path(__file__).resolve().parent))

from lpm_driver import DRIVER, DRIVER_SOURCES, TESTS, Table, compile_c, geometry  # noqa: E402
from testing import parameters, simulate  # noqa: E402

class Model:
    """The entries of a table: (value of the prefix's bits, length) -> (number of the entry, data)."""

    def __init__(self, key_bits: int, entries: dict[tuple[int, int], tuple[int, int]]) -> None:
        self.key_bits = key_bits
        self.entries = entries
        self.lengths = sorted({length for _, length in entries}, reverse=True)

    def longest(self, key: int) -> tuple[int, int] | None:
        """Number and data of the longest prefix of a key."""
        for length in self.lengths:
            entry = self.entries.get((key >> (self.key_bits - length), length))
            if entry is not None:
                return entry
        return None


class Bench:
    """One falling edge after another: drives inputs, compares the outputs with what is expected."""

    def __init__(self, dut) -> None:
        shape = parameters()
        self.dut = dut
        self.key_bits = shape["KEY_WIDTH"]
        self.data_bits = shape["DATA_WIDTH"]
        self.entries = shape["ENTRIES"]
        self.root_bits = shape["ROOT_BITS"]
        self.latency = (shape["LEVELS"] + 2) * shape["MEMORY_LATENCY"] + 1
        self.driver = Table(self.key_bits, self.data_bits, self.entries)
        self.table: dict[tuple[int, int], tuple[int, int]] = {}
        # Tables that a lookup of this clock may see: the present one, and the next while its rows
        # are written.
        self.visible = [Model(self.key_bits, {})]
        # For each clock since `latency` clocks ago: the key, if any, and the tables visible since.
        self.lookups: list[tuple[int | None, list[Model]]] = []
        self.load = 1.0
        self.hits = self.misses = self.undecided = 0

    async def start(self) -> None:
        cocotb.start_soon(Clock(self.dut.clk, 10, "ns").start())
        self.dut.rst.value = 1
        self.dut.lookup_valid.value = 0
        self.dut.row_valid.value = 0
        for _ in range(3):
            await FallingEdge(self.dut.clk)
        self.dut.rst.value = 0

    def random_key(self) -> int:
        """Near a prefix of the table, mostly."""
        key = random.getrandbits(self.key_bits)
        if self.table and random.random() < 0.9:
            value, length = random.choice(list(self.table))
            length = length if random.random() < 0.7 else random.randint(0, length)
            shift = self.key_bits - length
            key = (value & ((1 << length) - 1)) << shift | key & ((1 << shift) - 1)
        return key

    async def clock(self) -> None:
        """One clock: checks the results, gives the next key."""
        dut = self.dut
        await FallingEdge(dut.clk)
        if len(self.lookups) == self.latency:
            key, tables = self.lookups.pop(0)
            got = (int(dut.result_index.value), int(dut.result_data.value))
            hit = bool(dut.result_hit.value)
            if key is None:
                assert not hit, "a result without a lookup"
            else:
                wanted = [table.longest(key) for table in tables]
                found = got if hit else None
                assert found in wanted, f"key {key:x}: {found}, expected one of {wanted}"
                assert hit or got[0] == 0
                self.hits += hit
                self.misses += not hit
                self.undecided += len({*wanted}) > 1
        key = self.random_key() if random.random() < self.load else None
        dut.lookup_valid.value = key is not None
        dut.lookup_key.value = random.getrandbits(self.key_bits) if key is None else key
        self.lookups.append((key, [*self.visible]))

    async def access(self, memory: int, index: int, row: int | None) -> int:
        """Writes a row, or reads it if `row` is None."""
        dut = self.dut
        dut.row_valid.value = 1
        dut.row_write.value = row is not None
        dut.row_memory.value = memory
        dut.row_index.value = index
        dut.row_wdata.value = row or 0
        for _ in range(1000):
            await self.clock()
            if dut.row_done.value:
                break
        else:
            raise AssertionError("no row_done")
        dut.row_valid.value = 0
        word = int(dut.row_rdata.value)
        if random.random() < 0.3:
            await self.clock()
        return word

    def begin(self, table: Model) -> None:
        """From now on lookups may see this table; those under way too."""
        self.visible.append(table)
        for _, tables in self.lookups:
            tables.append(table)

    async def update(self) -> None:
        """One random update."""
        table = dict(self.table)
        rows = self.driver.rows
        rows.clear()
        choice = random.random()
        data = random.getrandbits(self.data_bits)
        if table and (choice < 0.4 or len(table) == self.entries):
            prefix = random.choice(list(table))
            if choice < 0.1:
                self.driver.modify(prefix, data)
                table[prefix] = (table[prefix][0], data)
            else:
                self.driver.delete(prefix)
                del table[prefix]
        else:
            length = random.randint(0, self.key_bits)
            prefix = (self.random_key() >> (self.key_bits - length), length)
            if prefix in table:
                return
            table[prefix] = (self.driver.insert(prefix, data), data)
        await self.write_rows(table, rows)

    async def write_rows(self, entries: dict, rows: list[tuple[int, int, int]]) -> None:
        table = Model(self.key_bits, entries)
        self.begin(table)
        for memory, index, row in rows:
            await self.access(memory, index, row)
        self.visible = [table]
        self.table = entries


@cocotb.test()
async def lookups_and_updates(dut):
    """Each result is that of the table before or after the update under way, LATENCY clocks later."""
    bench = Bench(dut)
    await bench.start()
    written: dict[tuple[int, int], int] = {}
    updates = 120 if bench.latency <= 16 else 60
    for number in range(updates):
        bench.load = (1.0, 1.0, 0.5)[number // 10 % 3]
        await bench.update()
        for memory, index, row in bench.driver.rows:
            written[memory, index] = row
    assert bench.hits > 500 and bench.misses > 20 and bench.undecided > 20

    # Every row that was written reads back, in the clocks that lookups leave.
    bench.load = 0.5
    for (memory, index), row in random.sample(sorted(written.items()), min(100, len(written))):
        assert await bench.access(memory, index, None) == row, f"memory {memory} row {index:x}"
    # Rows that do not exist: nothing is stored, zero is read.
    for memory, index in ((0, bench.entries), (2, 1 << 27), (3, 31 << 22), (9, 0)):
        await bench.access(memory, index, (1 << len(dut.row_wdata)) - 1)
        assert await bench.access(memory, index, None) == 0

    # At most some hundred rows to clear, so that the test stays short.
    if bench.root_bits < 8:
        bench.driver.rows.clear()
        bench.driver.clear()
        await bench.write_rows({}, bench.driver.rows)
    for _ in range(2 * bench.latency):
        await bench.clock()
    hits = bench.hits
    for _ in range(100):
        await bench.clock()
    assert (bench.hits == hits) == (bench.table == {})


@pytest.mark.parametrize(
    ("key_bits", "data_bits", "entries", "memory_latency"),
    [(32, 16, 100, 1), (7, 70, 9, 2), (128, 8, 50, 1), (32, 16, 700, 2)],
)
def test_ww_table_lpm(key_bits, data_bits, entries, memory_latency):
    shape = geometry(key_bits, data_bits, entries)
    simulate("ww_table_lpm", {**shape.parameters(), "MEMORY_LATENCY": memory_latency})


def test_defaults_are_the_geometry():
    """The defaults of ww_table_lpm, for those who look at the module first."""
    assert geometry(32, 16, 1024).parameters() == {
        **{"KEY_WIDTH": 32, "DATA_WIDTH": 16, "ENTRIES": 1024, "ROOT_BITS": 9, "LEVELS": 6},
        **{"STRIDES": 0x444444, "ROWS": sum((1056 if i else 512) << 32 * i for i in range(6))},
        **{"LIST_ROWS": 1056, "ROW_WIDTH": 53},
    }


def run_c(name: str, driver: list[Path]) -> None:
    """Runs a test in C with sanitizers and a random seed."""
    sources = [*driver, *(TESTS / f"{part}.c" for part in (name, "image", "routes"))]
    options = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    program = compile_c(name, sources, options)
    seed = random.getrandbits(31)
    print(f"seed {seed}")
    done = subprocess.run([program, str(seed)], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stderr


def test_driver():
    """The driver against a list of prefixes, row write by row write."""
    run_c("test_driver", DRIVER_SOURCES)


def test_window():
    """The driver with the rest of the control plane in C."""
    run_c("test_window", sorted(DRIVER.glob("ww_*.c")))


@pytest.mark.parametrize(
    "parameter",
    [{"KEY_WIDTH": 129}, {"KEY_WIDTH": 31}, {"LEVELS": 22}, {"LIST_ROWS": 1000}, {"ROW_WIDTH": 52}],
)
def test_illegal_parameters_do_not_build(parameter):
    with pytest.raises(RuntimeError, match="ww_table_lpm: .* must"):
        simulate("ww_table_lpm", parameter)
