"""ww_table_selector: a lookup in each clock against integer arithmetic, while groups change.

The oracle keeps groups as lists of data and takes `list[hash % len(list)]`. While a group changes, a lookup
may give the answer of the old list or of the new one, and nothing else.
"""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import RisingEdge

from testing import parameters, simulate, start

LATENCY = 9
FALLBACK = 9


class Bench:
    """Drives lookups and the row port, and checks each result."""

    def __init__(self, dut):
        self.dut = dut
        p = parameters()
        self.groups, self.members = p["GROUPS"], p["MEMBERS"]
        self.hash_bits, self.data_bits = p["HASH_WIDTH"], p["DATA_WIDTH"]
        self.lookup_latency = p["LOOKUP_LATENCY"]
        self.base_bits = max((self.members - 1).bit_length(), 1)
        self.count_bits = p["GROUP_MEMBERS"].bit_length()
        group_bits = max((self.groups - 1).bit_length(), 1)
        self.flag = 1 << max(self.data_bits, group_bits)
        # Data of each group's members, and of a group that is changing, also those it may have.
        self.lists: dict[int, list[int]] = {}
        self.changing: dict[int, list[int]] = {}
        self.default = 0
        self.used: dict[int, range] = {}
        self.lookups: deque = deque()
        self.entries: deque = deque([None] * self.lookup_latency)
        self.clock = 0
        self.rate = 1.0
        self.stimulus = self.random_lookup
        self.seen = {"member": 0, "data": 0, "miss": 0}

    async def begin(self):
        for name in ["lookup_valid", "entry_hit", "row_valid", "row_write", "default_data"]:
            getattr(self.dut, name).value = 0
        await start(self.dut)
        # Reset leaves the memories of the test before.
        self.stimulus = lambda: (False, 0, 0)
        for group in range(self.groups):
            await self.row(True, 0, group, 0)
        await self.idle(LATENCY)
        self.stimulus = self.random_lookup

    def random_data(self):
        return random.getrandbits(self.data_bits)

    def random_hash(self):
        return random.getrandbits(self.hash_bits)

    def random_lookup(self):
        """(hit, entry, hash)"""
        if random.random() < 0.7:
            entry = self.flag | random.randrange(self.groups)
        else:
            entry = self.random_data()
        return random.random() < 0.8, entry, self.random_hash()

    def data_of(self, entry, hash_value, lists):
        """Data of an entry; None for an empty group."""
        if not entry & self.flag:
            return entry
        members = lists.get(entry - self.flag)
        return members[hash_value % len(members)] if members else None

    def answers(self, hit, entry, hash_value):
        """What may come out: now, and with what is changing."""
        found = set()
        for lists in (self.lists, self.lists | self.changing):
            data = self.data_of(entry, hash_value, lists) if hit else None
            if data is not None:
                found.add((1, data))
                continue
            data = self.data_of(self.default, hash_value, lists)
            found.add((0, FALLBACK if data is None else data))
        return found

    async def tick(self):
        dut = self.dut
        lookup = self.stimulus() if random.random() < self.rate else None
        dut.lookup_valid.value = lookup is not None
        dut.lookup_hash.value = lookup[2] if lookup else self.random_hash()
        self.entries.append(lookup)
        entry = self.entries.popleft()
        tag = random.getrandbits(1)
        dut.entry_hit.value = bool(entry and entry[0])
        dut.entry_data.value = entry[1] if entry else 0
        dut.entry_tag.value = tag
        dut.default_data.value = self.default
        if entry:
            self.lookups.append((self.clock, entry, tag, self.answers(*entry)))
        await RisingEdge(dut.clk)
        if self.lookups and self.lookups[0][0] == self.clock - LATENCY:
            _, entry, tag, allowed = self.lookups.popleft()
            got = int(dut.result_hit.value), int(dut.result_data.value)
            assert got in allowed, f"clock {self.clock}: {entry} gave {got}, not {allowed}"
            assert int(dut.result_tag.value) == tag
            kind = "miss" if not got[0] else "member" if entry[1] & self.flag else "data"
            self.seen[kind] += 1
        self.clock += 1

    async def row(self, write, memory, index, value=0):
        dut = self.dut
        dut.row_valid.value = 1
        dut.row_write.value = write
        dut.row_memory.value = memory
        dut.row_index.value = index
        dut.row_wdata.value = value
        for _ in range(2000):
            await self.tick()
            if int(dut.row_done.value):
                dut.row_valid.value = 0
                return int(dut.row_rdata.value)
        raise AssertionError("row_done did not come")

    async def idle(self, clocks):
        self.dut.row_valid.value = 0
        for _ in range(clocks):
            await self.tick()

    def group_row(self, base, count):
        """{reciprocal, count, base}, as the README says."""
        if count == 0:
            return 0
        reciprocal = (1 << self.hash_bits + self.count_bits) // count + 1
        return base | count << self.base_bits | reciprocal << self.base_bits + self.count_bits

    async def set_group(self, group, data):
        """Gives a group other members: first these, in rows that no group has, then its row."""
        taken = {row for rows in self.used.values() for row in rows}
        bases = range(self.members - len(data) + 1)
        free = [b for b in bases if taken.isdisjoint(range(b, b + len(data)))]
        if not free:
            return False
        base = random.choice(free)
        for n, value in enumerate(data):
            await self.row(True, 1, base + n, value)
        self.changing = {group: data}
        await self.row(True, 0, group, self.group_row(base, len(data)))
        self.lists[group] = data
        self.changing = {}
        self.used[group] = range(base, base + len(data))
        return True


@cocotb.test()
async def every_number_of_members(dut):
    bench = Bench(dut)
    await bench.begin()
    top = (1 << bench.hash_bits) - 1
    most = parameters()["GROUP_MEMBERS"]
    # A group of all members; then its row says less and less of them.
    data = [bench.random_data() for _ in range(most)]
    assert await bench.set_group(0, data)
    base = bench.used[0].start
    for n in range(most, 0, -1):
        bench.stimulus = lambda: (False, 0, 0)
        bench.changing = {0: data[:n]}
        await bench.row(True, 0, 0, bench.group_row(base, n))
        bench.lists = bench.changing
        if bench.hash_bits <= 8:
            hashes = list(range(top + 1))
        else:
            last = top // n * n
            hashes = {0, 1, n - 1, n, n + 1, last - 1, last, last + 1, last - n, last - n - 1, top, top - 1}
            hashes = [h for h in hashes if 0 <= h <= top] + [bench.random_hash() for _ in range(4)]
        for value in hashes:
            bench.stimulus = lambda value=value: (True, bench.flag, value)
            await bench.tick()
    await bench.idle(LATENCY)
    assert bench.seen["member"] > 2 * most


@cocotb.test()
async def groups_change_between_lookups(dut):
    bench = Bench(dut)
    await bench.begin()
    most = parameters()["GROUP_MEMBERS"]
    for turn in range(300):
        bench.rate = random.choice([1.0, 1.0, 0.6])
        size = random.choice([0, 1, 2, random.randint(0, most)])
        data = [bench.random_data() for _ in range(size)]
        if not await bench.set_group(random.randrange(bench.groups), data):
            await bench.set_group(random.choice(list(bench.used)), [])
        if parameters()["DEFAULT_GROUP"] and random.random() < 0.3:
            bench.default = bench.flag | random.randrange(bench.groups)
        elif random.random() < 0.2:
            bench.default = bench.random_data()
        await bench.idle(random.choice([0, 0, 3]))
    assert min(bench.seen.values()) > 100


@cocotb.test()
async def rows_are_read_between_lookups(dut):
    bench = Bench(dut)
    await bench.begin()
    bench.rate = 0.5
    for row in range(bench.members):
        await bench.row(True, 1, row, 0)
    rows = {(memory, row): 0 for memory, size in [(0, bench.groups), (1, bench.members)] for row in range(size)}
    for group in range(bench.groups):
        before = dict(bench.used)
        data = [bench.random_data() for _ in range(random.randint(0, 2))]
        if await bench.set_group(group, data):
            rows[0, group] = bench.group_row(bench.used[group].start, len(data))
            rows |= {(1, row): value for row, value in zip(bench.used[group], data)}
        else:
            bench.used = before
    for (memory, index), value in rows.items():
        assert await bench.row(False, memory, index) == value
    for memory, index in [(0, bench.groups), (1, bench.members), (2, 0), (15, 0)]:
        # There is no such row: nothing is stored, and it reads as zero.
        await bench.row(True, memory, index, 1)
        assert await bench.row(False, memory, index) == 0
    for (memory, index), value in rows.items():
        assert await bench.row(False, memory, index) == value


BASE = {
    "DATA_WIDTH": 20,
    "GROUPS": 8,
    "MEMBERS": 128,
    "GROUP_MEMBERS": 64,
    "HASH_WIDTH": 16,
    "LOOKUP_LATENCY": 2,
    "DEFAULT_GROUP": 1,
}


@pytest.mark.parametrize(
    "changes",
    [
        {"GROUP_MEMBERS": 1024, "MEMBERS": 2048, "GROUPS": 3},
        {"HASH_WIDTH": 8, "GROUP_MEMBERS": 100, "MEMBERS": 200, "LOOKUP_LATENCY": 0},
        {"HASH_WIDTH": 64, "DATA_WIDTH": 5, "GROUPS": 100, "DEFAULT_GROUP": 0},
        {"HASH_WIDTH": 33, "LOOKUP_LATENCY": 5, "DATA_WIDTH": 90},
        {"HASH_WIDTH": 1, "GROUPS": 1, "MEMBERS": 3, "GROUP_MEMBERS": 3, "DATA_WIDTH": 8},
    ],
)
def test_selector(changes):
    values = BASE | changes
    # A parameter with a width of its own.
    fallback = f"-GFALLBACK={values['DATA_WIDTH']}'d{FALLBACK}"
    simulate("ww_table_selector", values, verilator_options=[fallback])


def test_illegal_parameters_do_not_build():
    with pytest.raises(RuntimeError, match="HASH_WIDTH must be"):
        simulate("ww_table_selector", BASE | {"HASH_WIDTH": 65})
