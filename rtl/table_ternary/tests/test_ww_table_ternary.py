"""ww_table_ternary: random lookups in each clock against a search through all entries."""

import json
import os
import random

import cocotb
import pytest

from control.tests.table_bench import MISS, Bench
from driver.binding import TERNARY
from testing import parameters, simulate


class Layout:
    """Which key bits are range fields: a list of (first bit, bits)."""

    def __init__(self, key_bits, ranges):
        self.key_bits = key_bits
        self.ranges = ranges
        self.range_bits = sum(((1 << bits) - 1) << first for first, bits in ranges)
        self.range_low = sum(1 << first for first, _ in ranges)

    def fields(self, value):
        return [value >> first & (1 << bits) - 1 for first, bits in self.ranges]

    def matches(self, entry, key):
        if (entry["key"] ^ key) & entry["mask"] & ~self.range_bits & (1 << self.key_bits) - 1:
            return False
        fields = zip(self.fields(entry["key"]), self.fields(key), self.fields(entry["mask"]), strict=True)
        return all(low <= value <= high for low, value, high in fields)

    def wins(self, entries, key):
        """The highest priority, and among equal ones the first inserted."""
        found = [
            (dict(name)["priority"], -order, data)
            for order, (name, data) in enumerate(entries.items())
            if self.matches(dict(name), key)
        ]
        return (1, max(found)[2]) if found else MISS

    def random_match(self):
        mask = random.getrandbits(self.key_bits) | random.getrandbits(self.key_bits)
        mask = random.choice([mask, (1 << self.key_bits) - 1, 0]) & ~self.range_bits
        key = random.getrandbits(self.key_bits) & mask
        for first, bits in self.ranges:
            low, high = sorted(random.getrandbits(bits) for _ in range(2))
            low, high = random.choice([(low, high), (low, low), (0, high)])
            key |= low << first
            mask |= high << first
        return {"key": key, "mask": mask, "priority": random.randint(-2, 3)}


@cocotb.test()
async def lookups_while_rows_change(dut):
    p = parameters()
    entries, number_bits = p["ENTRIES"], 6
    layout = Layout(p["KEY_WIDTH"], json.loads(os.environ["WW_RANGES"]))
    info = dict(
        kind=TERNARY,
        entries=entries,
        key_bits=p["KEY_WIDTH"],
        data_bits=p["DATA_WIDTH"] - number_bits,
        number_bits=number_bits,
        range_bits=layout.range_bits,
        range_low=layout.range_low,
    )
    bench = Bench(dut, 4, layout.wins, info)

    def random_key():
        if not bench.model.entries or random.random() < 0.2:
            return random.getrandbits(p["KEY_WIDTH"])
        # Near an entry: its key, or at the edge of its ranges, with bits that do not count changed.
        entry = dict(random.choice(list(bench.model.entries)))
        key = random.choice([entry["key"], entry["mask"]]) & layout.range_bits
        key |= (entry["key"] & entry["mask"] | random.getrandbits(p["KEY_WIDTH"]) & ~entry["mask"]) & ~layout.range_bits
        return (key + random.choice([0, 0, 0, 1, -1])) % (1 << p["KEY_WIDTH"])

    bench.random_key = random_key

    def holds(index, key):
        row = bench.image[0, index] >> p["DATA_WIDTH"]
        value, mask = row % (1 << p["KEY_WIDTH"]), row >> p["KEY_WIDTH"]
        valid, mask = mask >> p["KEY_WIDTH"], mask % (1 << p["KEY_WIDTH"])
        return valid == 1 and layout.matches({"key": value, "mask": mask}, key)

    bench.check_index = holds
    await bench.begin()
    for round in range(250):
        bench.lookup_rate = random.choice([1.0, 1.0, 0.9, 0.3])
        await bench.change(number_bits, keep=0.9, make=layout.random_match)
        await bench.idle(random.randint(0, 8))
        if round % 20 == 0:
            bench.lookup_rate = 0.7
            await bench.check_rows([random.choice(list(bench.image) or [(0, 0)])])
    assert bench.hits > 100 and (bench.misses > 20 or layout.ranges == [])
    bench.lookup_rate = 0.5
    await bench.row(True, 0, entries, (1 << 2 * p["KEY_WIDTH"] + p["DATA_WIDTH"] + 1) - 1)
    del bench.image[0, entries]
    await bench.check_rows([(0, index) for index in range(entries + 1)])


SIZES = [
    # key bits, range fields, entries; the first with adjacent ranges and ternary bits on both sides
    (20, [(4, 4), (8, 5)], 12),
    (16, [], 37),
    (6, [(0, 6)], 1),
]


@pytest.mark.parametrize("key_bits, ranges, entries", SIZES)
def test_table(key_bits, ranges, entries):
    layout = Layout(key_bits, ranges)
    simulate(
        "ww_table_ternary",
        {"KEY_WIDTH": key_bits, "DATA_WIDTH": 15, "ENTRIES": entries},
        environment={"WW_RANGES": json.dumps(ranges)},
        verilator_options=[
            f"-GRANGE_BITS={key_bits}'h{layout.range_bits:x}",
            f"-GRANGE_LOW={key_bits}'h{layout.range_low:x}",
        ],
    )


def test_illegal_parameters_do_not_build():
    with pytest.raises(RuntimeError, match="RANGE_LOW may have ones only"):
        simulate("ww_table_ternary", {"KEY_WIDTH": 32}, verilator_options=["-GRANGE_LOW=32'h1"])
