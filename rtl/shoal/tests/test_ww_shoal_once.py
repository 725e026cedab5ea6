"""ww_shoal_once: which numbers of each source have come, against sets of numbers; clock by clock, in any order, also when sources begin anew.

spec: 004-pieo-shoal S27; docs/fabric-rules.md, "With bad headers" and "With hosts that die"
"""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from testing import is_quick, parameters, simulate, start

SEQS, ROW = 1 << 20, 16


class Source:
    def __init__(self, window: int):
        self.window, self.first = window, 0
        self.come: set[int] = set()
        self.mark = False
        # Rows that still have old numbers; none once reset has cleared them.
        self.old_rows = 0

    def begin(self, first: int) -> None:
        self.first, self.mark, self.old_rows = first, False, self.window // ROW
        self.come.clear()

    def known(self, seq: int) -> bool:
        return (seq - self.first) % SEQS >= SEQS // 2 or seq in self.come

    def room(self, seq: int) -> bool:
        return (seq - self.first) % SEQS < self.window and not self.old_rows

    def walk(self) -> None:
        """Over numbers that have come, to the next row at most."""
        while self.first in self.come:
            self.come.remove(self.first)
            self.first = (self.first + 1) % SEQS
            if self.first % ROW == 0:
                return
        self.mark = False


def number(source: Source) -> int:
    """Often the first that is missing, or one at an end of the window."""
    ahead = random.choice([0, 0, 0, random.randrange(ROW), random.randrange(source.window), source.window - random.randint(-1, ROW), -random.randint(1, 40)])
    return (source.first + ahead) % SEQS


@cocotb.test()
async def each_number_comes_once(dut):
    hosts, window = parameters()["HOSTS"], parameters()["WINDOW"]
    counts = {"known": 0, "no room": 0, "new": 0, "moved": 0, "far": 0}
    dut.look.value = dut.arrive.value = dut.walk.value = dut.restart.value = 0
    dut.told_src.value = dut.src.value = dut.seq.value = 0
    await start(dut)
    for _ in range(window // ROW):
        await RisingEdge(dut.clk)
    sources = [Source(window) for _ in range(hosts)]
    for _ in range(20_000 if is_quick() else 200_000):
        kind = random.choices(("look", "walk", "none"), (5, 3, 1))[0]
        h = random.randrange(hosts)
        source, seq, arrives = sources[h], number(sources[h]), False
        dut.look.value, dut.walk.value, dut.src.value, dut.seq.value = int(kind == "look"), int(kind == "walk"), h, seq
        told = random.randrange(hosts)
        dut.told_src.value, dut.restart.value, dut.arrive.value = told, 0, 0
        again = None
        if random.random() < 0.002:
            again = random.randrange(hosts), random.choice([0, random.randrange(SEQS), SEQS - random.randint(1, 2 * window)])
            dut.restart.value, dut.restart_src.value, dut.restart_seq.value = 1, *again
        await Timer(1, "ns")
        assert int(dut.told_seq.value) == sources[told].first
        if kind == "look":
            known, room = source.known(seq), source.room(seq)
            at = f"number {seq} of host {h}, whose first is {source.first}"
            assert bool(dut.known.value) == known, at
            # Of a known number nobody asks.
            assert known or bool(dut.room.value) == room, at
            arrives = not known and room and (again is None or again[0] != h) and random.random() < 0.95
            dut.arrive.value = int(arrives)
            counts["known"] += known
            counts["no room"] += not known and not room
            counts["new"] += arrives
            counts["far"] += arrives and (seq - source.first) % SEQS >= window - source.first % ROW
        await RisingEdge(dut.clk)
        if arrives:
            source.come.add(seq)
            source.mark = True
        if kind == "walk" and (mover := next((s for s in sources if s.mark), None)):
            before = mover.first
            mover.walk()
            counts["moved"] += mover.first != before
        if kind == "none":
            for other in sources:
                other.old_rows = max(0, other.old_rows - 1)
        if again is not None:
            sources[again[0]].begin(again[1])
    assert min(counts.values()) > 100, counts


@pytest.mark.parametrize("hosts,window", [(4, 64), (8, 32), (3, 256)])
def test_ww_shoal_once(hosts, window):
    simulate("ww_shoal_once", {"HOSTS": hosts, "WINDOW": window})
