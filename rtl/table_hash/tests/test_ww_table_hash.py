"""ww_table_hash: random lookups in each clock against a dictionary while the driver moves entries."""

import random

import cocotb
import pytest

from control.tests.table_bench import MISS, Bench
from driver.binding import HASH, library
from testing import parameters, simulate


def wins(entries, key):
    data = entries.get((("key", key),))
    return MISS if data is None else (1, data)


class Arrangement:
    """Whether keys can all have places: bipartite matching with augmenting paths."""

    def __init__(self, ways, buckets, stash, seed, key_bits):
        self.ways, self.buckets, self.stash, self.seed, self.key_bits = ways, buckets, stash, seed, key_bits
        self._bucket = library().ww_hash_bucket

    def _places(self, key):
        content = key.to_bytes((self.key_bits + 7) // 8, "little")
        for way in range(self.ways):
            yield way, self._bucket(content, self.key_bits, self.seed, way, self.buckets)
        yield from ((self.ways, slot) for slot in range(self.stash))

    def exists(self, keys):
        owner = {}

        def place(key, seen):
            for at in self._places(key):
                if at not in seen:
                    seen.add(at)
                    if at not in owner or place(owner[at], seen):
                        owner[at] = key
                        return True
            return False

        return all(place(key, set()) for key in keys)


@cocotb.test()
async def lookups_while_rows_change(dut):
    p = parameters()
    key_bits, entries, number_bits = p["KEY_WIDTH"], p["ENTRIES"], 8
    info = dict(
        kind=HASH,
        entries=entries,
        key_bits=key_bits,
        data_bits=p["DATA_WIDTH"] - number_bits,
        number_bits=number_bits,
        ways=p["WAYS"],
        buckets=p["BUCKETS"],
        stash=p["STASH"],
        seed=p["SEED"],
    )
    bench = Bench(dut, 5, wins, info)
    # Few keys, so that many lookups hit; half of them differ in a few bits only.
    keys = [random.getrandbits(key_bits) for _ in range(entries)]
    keys += [keys[0] ^ key for key in range(min(entries, 1 << key_bits))]
    bench.random_key = lambda: random.choice(keys)

    def holds(index, key):
        place = (index // p["BUCKETS"], index % p["BUCKETS"])
        if index >= p["WAYS"] * p["BUCKETS"]:
            place = (p["WAYS"], index - p["WAYS"] * p["BUCKETS"])
        row = bench.image[place]
        return row >> p["DATA_WIDTH"] == 1 << key_bits | key

    bench.check_index = holds
    arrangement = Arrangement(p["WAYS"], p["BUCKETS"], p["STASH"], p["SEED"], key_bits)
    bench.fits = lambda names: len(names) <= entries and arrangement.exists([dict(n)["key"] for n in names])
    await bench.begin()
    for round in range(500):
        bench.lookup_rate = random.choice([1.0, 1.0, 0.9, 0.3])
        await bench.change(number_bits, keep=0.97)
        await bench.idle(random.randint(0, 8))
        if round % 20 == 0:
            bench.lookup_rate = 0.7
            await bench.check_rows([random.choice(list(bench.image) or [(0, 0)])])
    assert bench.hits > 100 and bench.misses > 100
    assert len(bench.model.entries) > 0.7 * entries
    bench.lookup_rate = 0.5
    await bench.row(True, p["WAYS"], p["STASH"], (1 << key_bits + p["DATA_WIDTH"] + 1) - 1)
    del bench.image[p["WAYS"], p["STASH"]]
    await bench.check_rows([(p["WAYS"], p["STASH"]), *bench.image])
    bench.lookup_rate = 1.0
    await bench.operate(lambda table: table.clear(), lambda model: model.clear())
    await bench.idle(30)


SIZES = [
    # key bits, data bits, entries, ways, buckets, stash
    (40, 20, 32, 3, 16, 4),
    # As many entries as places: the stash is in use and chains of moves are long.
    (13, 12, 11, 2, 4, 3),
    (288, 64, 60, 5, 16, 1),
]


@pytest.mark.parametrize("key_bits, data_bits, entries, ways, buckets, stash", SIZES)
def test_table(key_bits, data_bits, entries, ways, buckets, stash):
    values = {
        "KEY_WIDTH": key_bits,
        "DATA_WIDTH": data_bits,
        "ENTRIES": entries,
        "WAYS": ways,
        "BUCKETS": buckets,
        "STASH": stash,
        "SEED": 0x8F3C_5A17_0D2B_9E64,
    }
    simulate("ww_table_hash", values)


def test_illegal_parameters_do_not_build():
    with pytest.raises(RuntimeError, match="BUCKETS must be a power of two"):
        simulate("ww_table_hash", {"BUCKETS": 500})
