"""ww_table_cam: random lookups in each clock against a dictionary while the driver changes rows."""

import random

import cocotb
import pytest

from control.tests.table_bench import MISS, Bench
from driver.binding import CAM
from testing import parameters, simulate


def wins(entries, key):
    data = entries.get((("key", key),))
    return MISS if data is None else (1, data)


@cocotb.test()
async def lookups_while_rows_change(dut):
    p = parameters()
    key_bits, data_bits, entries = p["KEY_WIDTH"], p["DATA_WIDTH"], p["ENTRIES"]
    info = dict(kind=CAM, entries=entries, key_bits=key_bits, data_bits=data_bits)
    bench = Bench(dut, 3, wins, info)
    # Zero is what the RAMs hold at power-up.
    keys = [0] + [random.getrandbits(key_bits) for _ in range(entries)]
    keys += [keys[-1] ^ 1 << random.randrange(key_bits) for _ in range(entries)]
    bench.random_key = lambda: random.choice(keys)
    bench.check_index = lambda index, key: bench.image[0, index] >> data_bits == 1 << key_bits | key
    # In block RAM a write reads, which it can only without a lookup.
    rates = [1.0, 0.9, 0.3] if p["STYLE"] == "registers" else [0.9, 0.5, 0.1]
    await bench.begin()
    for round in range(300):
        bench.lookup_rate = random.choice(rates)
        await bench.change(keep=0.9)
        bench.lookup_rate = 1.0
        await bench.idle(random.randint(0, 8))
        if round % 20 == 0:
            bench.lookup_rate = 0.7
            await bench.check_rows([random.choice(list(bench.image) or [(0, 0)])])
    assert bench.hits > 100 and bench.misses > 100
    bench.lookup_rate = 0.5
    for memory, index in [(0, entries), (1, 0)]:
        await bench.row(True, memory, index, (1 << key_bits + data_bits + 1) - 1)
        del bench.image[memory, index]
        await bench.check_rows([(memory, index)])
    await bench.check_rows([(0, index) for index in range(entries)])


@cocotb.test()
async def a_write_takes_the_clocks_that_the_text_says(dut):
    p = parameters()
    bench = Bench(dut, 3, wins, dict(kind=CAM, entries=1, key_bits=p["KEY_WIDTH"], data_bits=1))
    bench.lookup_rate = 0.0
    await bench.begin()
    registers = p["STYLE"] == "registers"
    top = 1 << p["KEY_WIDTH"]
    for key, clocks in [(3, 1 if registers else 7), (3, 1 if registers else 5)]:
        begin = bench.clock
        await bench.row(True, 0, 0, (top | key) << p["DATA_WIDTH"])
        assert bench.clock - begin == clocks


@pytest.mark.parametrize("style", ["registers", "bram"])
@pytest.mark.parametrize("key_bits, data_bits, entries", [(20, 7, 12), (9, 33, 1)])
def test_table(style, key_bits, data_bits, entries):
    values = {"KEY_WIDTH": key_bits, "DATA_WIDTH": data_bits, "ENTRIES": entries, "STYLE": style}
    simulate("ww_table_cam", values)


def test_illegal_parameters_do_not_build():
    with pytest.raises(RuntimeError, match="STYLE must be"):
        simulate("ww_table_cam", {"STYLE": "flash"})
