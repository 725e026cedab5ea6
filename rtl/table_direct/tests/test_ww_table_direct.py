"""ww_table_direct: random lookups in each clock against a dictionary while the driver changes rows."""

import random

import cocotb
import pytest

from control.tests.table_bench import MISS, Bench
from driver.binding import DIRECT
from testing import parameters, simulate


def wins(entries, key):
    data = entries.get((("key", key),))
    return MISS if data is None else (1, data)


@cocotb.test()
async def lookups_while_rows_change(dut):
    key_bits, data_bits = parameters()["KEY_WIDTH"], parameters()["DATA_WIDTH"]
    info = dict(kind=DIRECT, entries=1 << key_bits, key_bits=key_bits, data_bits=data_bits)
    bench = Bench(dut, 2, wins, info)
    bench.check_index = lambda index, key: index == key
    await bench.begin()
    for _ in range(400):
        bench.lookup_rate = random.choice([1.0, 0.9, 0.3])
        await bench.change()
        await bench.idle(random.randint(0, 5))
        if random.random() < 0.1:
            bench.lookup_rate = 0.7
            await bench.check_rows([(0, random.randrange(1 << key_bits))])
    bench.lookup_rate = 0.5
    for memory, index in [(0, 1 << key_bits), (1, 0), (15, 0)]:
        # There is no such row: nothing is stored, and it reads as zero.
        await bench.row(True, memory, index, (1 << data_bits + 1) - 1)
        del bench.image[memory, index]
        await bench.check_rows([(memory, index)])
    await bench.check_rows([(0, index) for index in range(1 << key_bits)])
    assert bench.hits > 100 and bench.misses > 100


@pytest.mark.parametrize("key_bits, data_bits", [(4, 9), (1, 40)])
def test_table(key_bits, data_bits):
    simulate("ww_table_direct", {"KEY_WIDTH": key_bits, "DATA_WIDTH": data_bits})


def test_illegal_parameters_do_not_build():
    with pytest.raises(RuntimeError, match="KEY_WIDTH must be"):
        simulate("ww_table_direct", {"KEY_WIDTH": 25})
