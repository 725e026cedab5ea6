"""ww_shoal_control: one host, clock by clock, whose peers keep to no rule but the schedule's.

Their cells are for anyone, with any report, damaged, or not there; so queues overflow, which the rules never do, and cells come twice. Numbers of
cells begin just before they wrap.

spec: docs/fabric-rules.md; 004-pieo-shoal 2.11, 2.14
"""

import random

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from rules import BAD_FRAME, BAD_HEADER, GOOD, SEQS, SILENCE, Cell, Fabric, header

from testing import is_quick, parameters, simulate

CLOCKS = 12
WORDS = 8


class Alone:
    """The host and its model, and what happens in which clock: (clock, what, ...), by the rules and as seen."""

    def __init__(self, dut, number: int):
        given = parameters()
        self.dut, self.hosts, self.delay = dut, given["HOSTS"], given["DELAY"]
        self.rules = Fabric(self.hosts, self.delay, given["GATE"], given["CELLS"], given["WINDOW"])
        self.host = self.rules.hosts[number]
        self.clock = 0
        self.expected: list[tuple] = []
        self.seen: list[tuple] = []
        # Payload and marks of cells that wait at the host, by queue; of the cell that the host is asked for.
        self.sent: dict[tuple[int, int], tuple[list[int], int]] = {}
        self.copies: dict[int, tuple[list[int], int]] = {}
        self.stored: dict[int, list[tuple[list[int], int]]] = {peer: [] for peer in self.rules.others(number)}
        self.asked: tuple[int, list[int], int] | None = None

    async def reset(self, is_first: bool = True) -> None:
        dut = self.dut
        if is_first:
            Clock(dut.clk, 6400, "ps").start()
        for name in ("pause", "repair", "members", "deaths", "first_slot"):
            getattr(dut, name).value = 0
        for name in ("begin_valid", "begin_own", "begin_peer", "begin_missing", "begin_next", "begin_dead", "slot_begin", "add_valid", "add_dst", "add_cells", "payload_valid", "rx_valid", "rx_first", "rx_good"):
            getattr(dut, name).value = 0
        dut.host.value = self.host.number
        dut.rst.value = 1
        for _ in range(3):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        await RisingEdge(dut.clk)

    async def have_sent(self, cells: dict[int, int]) -> None:
        """So many cells of each destination have been added and have left."""
        pairs = self.dut.u_pairs
        for destination, number in cells.items():
            for memory in (pairs.u_for_addition, pairs.u_now, pairs.u_joined):
                memory.memory[destination].value = number
            self.host.seq[destination] = number
        pairs.started.value = pairs.taken.value = sum(1 << destination for destination in cells)
        await RisingEdge(self.dut.clk)

    async def one_clock(self, first: bool, add: tuple[int, int] | None, line: tuple[int, int, int] | None) -> None:
        """Gives the inputs of a clock and notes the outputs. `line`: first, word, good."""
        dut = self.dut
        dut.slot_begin.value = int(first)
        dut.add_valid.value = int(add is not None)
        dut.add_dst.value, dut.add_cells.value = add or (random.randrange(self.hosts), random.getrandbits(32))
        dut.rx_valid.value = int(line is not None)
        dut.rx_first.value, dut.rx_data.value, dut.rx_good.value = line or (1, random.getrandbits(64), 1)
        word = None if self.asked is None else self.clock - self.asked[0]
        given = word is not None and 0 <= word < WORDS - 1
        marks = self.asked[2] if given and word == 0 else random.randrange(4)
        dut.payload_valid.value = int(given)
        dut.payload_data.value = self.asked[1][word] if given else random.getrandbits(64)
        dut.payload_sop.value, dut.payload_eop.value = marks & 1, marks >> 1
        await RisingEdge(dut.clk)
        now = self.clock
        for what, valid, fields in (
            ("queued", "queued_valid", ("queued_via", "queued_dst")),
            ("sent", "sent_valid", ("sent_again", "sent_to", "sent_src", "sent_dst", "sent_seq")),
            ("fetch", "fetch_valid", ("fetch_dst", "fetch_seq")),
            ("received", "received_valid", ("received_src", "received_seq", "received_sop", "received_eop")),
            ("out", "out_valid", ("out_first", "out_data")),
            ("line", "tx_valid", ("tx_first", "tx_data")),
            ("lost", "event_lost", ("event_lost_from",)),
            ("overflow", "event_overflow", ()),
            ("duplicate", "event_duplicate", ()),
            ("told lost", "event_told_lost", ("event_told_lost_by",)),
        ):
            if int(getattr(dut, valid).value):
                self.seen.append((now, what, *(int(getattr(dut, name).value) for name in fields)))
        if int(dut.fetch_valid.value):
            payload = [random.getrandbits(64) for _ in range(WORDS - 1)]
            self.asked = (now + random.randint(1, 4), payload, random.randrange(4))
        self.clock += 1

    def expect_cell_out(self, begin: int, what, asked, copy) -> None:
        """Words to the line of a slot that has ended."""
        cell, marks, payload = what.sent or Cell(self.host.number, self.host.number, what.missing), 0, [0] * (WORDS - 1)
        if what.again:
            payload, marks = copy
        elif what.sent is not None and cell.src == self.host.number:
            payload, marks = asked[1:]
        elif what.sent is not None:
            payload, marks = self.stored[what.to].pop(0)
        self.sent[what.to, self.rules.slot // self.rules.p] = payload, marks
        words = [header(cell.src, cell.dst, cell.seq, what.report, marks, what.told_lost), *payload]
        self.expected += [(begin + 13 + n, "line", int(n == 0), word) for n, word in enumerate(words)]

    async def slot(self, adds: list[tuple[int, int]], arrives) -> None:
        """A slot; `adds` count in the next one. `arrives(from)`: cell, report, last lost, marks and damage of the cell that arrives."""
        rules, host, t, begin = self.rules, self.host, self.rules.slot, self.clock
        rules.look(host)
        what = rules.link(host, t)
        missing = host.expected[what.to] % SEQS
        # The cell that arrives may be the next one to be sent again.
        copy = self.copies.pop(what.to) if what.again else None
        what.report, what.told_lost = rules.report(host, what.to), what.to in host.lost
        if what.queued is not None:
            self.expected.append((begin + 7, "queued", *what.queued))
        if what.sent is not None:
            sent = what.sent
            self.expected.append((begin + 7, "sent", int(what.again), what.to, sent.src, sent.dst, sent.seq & 0xFFFFF))
            if sent.src == host.number and not what.again:
                self.expected.append((begin + 7, "fetch", sent.dst, sent.seq & 0xFFFFF))
        line: dict[int, tuple[int, int, int]] = {}
        if t >= self.delay - 1:
            line = self.arrival(what, t, begin, arrives)
        spread = dict(zip(sorted(random.sample(range(CLOCKS), len(adds))), adds, strict=True))
        for clock in range(CLOCKS):
            await self.one_clock(clock == 0, spread.get(clock), line.get(clock))
        what.missing = missing
        self.expect_cell_out(begin, what, self.asked, copy)
        rules.slot += 1
        self.add(adds)

    def add(self, adds: list[tuple[int, int]]) -> None:
        """Step A of the slot that comes next."""
        rules, host = self.rules, self.host
        fresh = {destination for destination, _ in adds if host.cells[destination] == 0}
        for destination, cells in adds:
            host.cells[destination] += cells
        for destination in fresh:
            rules.new_pair(host, destination, rules.slot)

    def arrival(self, what, t: int, begin: int, arrives) -> dict[int, tuple[int, int, int]]:
        """Step D, and the words of the cell by clock of the slot."""
        rules, host = self.rules, self.host
        r = t - self.delay + 1
        sender = next(u for u in rules.others(host.number) if rules.peer(u, r) == host.number)
        cell, report, lost, marks, damage = arrives(sender)
        fault = {"": GOOD, "bad": BAD_FRAME, "short": BAD_FRAME, "none": SILENCE}.get(damage, BAD_HEADER)
        queued = {peer: len(queue) for peer, queue in host.queue.items()}
        unanswered = set(host.kept)
        waits = len(host.again[sender])
        word = header(cell.src, cell.dst, cell.seq, report, marks, lost)
        if damage == "bits":
            word ^= sum(1 << bit for bit in random.sample(range(64), random.randint(1, 3)))
        payload = [random.getrandbits(64) for _ in range(WORDS - 1)]
        empty = cell.src == cell.dst
        rules.arrival(host, sender, t, r, None if empty else cell, report, lost, fault, what)
        for answered in unanswered - set(host.kept):
            copy = self.sent.pop(answered)
            if len(host.again[sender]) > waits:
                self.copies[sender] = copy
        first = random.randrange(4) if damage != "late" else 4
        done = begin + first + 9
        if what.received is not None:
            self.expected.append((done, "received", cell.src, cell.seq, marks & 1, marks >> 1))
            self.expected += [(done + n, "out", int(n == 0), data) for n, data in enumerate(payload)]
        elif any(len(queue) > queued[peer] for peer, queue in host.queue.items()):
            self.stored[cell.dst].append((payload, marks))
        if what.overflow:
            self.expected.append((done, "overflow"))
        if what.duplicate:
            self.expected.append((done, "duplicate"))
        if what.told_lost_by is not None:
            self.expected.append((begin + 9, "told lost", sender))
        if what.lost_from is not None:
            self.expected.append((begin + 13, "lost", sender))
        words = [word, *payload][: WORDS - (damage == "short")]
        if damage == "none":
            return {}
        return {first + n: (int(n == 0), data, int(damage != "bad")) for n, data in enumerate(words)}

    def check(self) -> None:
        """Nothing happens that the rules do not say, and nothing in another clock."""
        end = self.clock
        expected = sorted(one for one in self.expected if one[0] < end)
        seen = sorted(self.seen)
        for one, other in zip(expected, seen, strict=False):
            assert one == other, f"in slot {one[0] // CLOCKS}, by the rules {one}, seen {other}"
        assert len(expected) == len(seen), (expected[len(seen) :] or seen[len(expected) :])[0]

    def counts(self) -> dict[str, int]:
        return {what: sum(one[1] == what for one in self.seen) for what in ("overflow", "duplicate", "lost", "told lost", "received", "sent")}


def some_cell(hosts: int, own: int, favourite: int, first: list[int]) -> Cell:
    """Empty, for the host, or for another one, often the same; never from the host itself."""
    src = random.choice([n for n in range(hosts) if n != own])
    kind = random.random()
    dst = src if kind < 0.1 else own if kind < 0.3 else favourite if kind < 0.8 else random.randrange(hosts)
    # Its number is near those that its source has reached, or any other.
    near = first[src] + random.randint(-3, 24)
    return Cell(src, dst, (near if random.random() < 0.9 else random.getrandbits(20)) % (1 << 20))


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def peers_that_do_anything(dut):
    hosts = parameters()["HOSTS"]
    own = random.randrange(hosts)
    alone = Alone(dut, own)
    others = alone.rules.others(own)
    await alone.reset()
    await alone.have_sent({peer: random.choice((1 << 20, 1 << 32)) - random.randint(1, 12) for peer in others})

    def arrives(sender: int):
        damage = random.choices(("", "bad", "short", "none", "bits", "late", "no host"), (80, 2, 2, 2, 2, 2, 4))[0]
        cell = some_cell(hosts, own, favourite, [alone.host.expected.get(peer, 0) for peer in range(hosts)])
        if damage == "no host":
            # A right check sequence, but a host that there is none of.
            cell = Cell(*random.sample((random.randrange(hosts, 1024), random.randrange(hosts)), 2), cell.seq)
        report = random.choice((0, 0, 1, 2, hosts, hosts + 1, hosts + 2, 1023, random.randrange(1024)))
        return cell, report, random.random() < 0.1, random.randrange(4), damage

    for n in range(1200 if is_quick() else 12_000):
        if n % 100 == 0:
            favourite = random.choice(others)
        rate = random.choice((0, 0, 1, 2)) if n % 200 < 120 else 0
        adds = [(random.choice(others), random.choice((1, 2, 9))) for _ in range(rate)]
        await alone.slot(adds, arrives)
    alone.check()
    counts = alone.counts()
    assert min(counts.values()) > 5, counts
    assert all(alone.host.seq[peer] & 0xFFFFF < 1 << 19 for peer in others), "a number has not wrapped"


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def a_reset_forgets_all(dut):
    """Three lives of a host: answers that come first in one are about nothing that was sent in the one before."""
    hosts = parameters()["HOSTS"]
    for life in range(3):
        own = random.randrange(hosts)
        alone = Alone(dut, own)
        others = alone.rules.others(own)
        await alone.reset(is_first=life == 0)

        def arrives(sender: int, own=own, others=others):
            # Answers in bad headers and of cells that were dropped ask for cells again, others let the next one go.
            cell = Cell(sender, random.choice((own, random.choice(others))), random.randrange(8))
            return cell, random.randrange(hosts), random.random() < 0.3, random.randrange(4), random.choice(("", "", "bits"))

        alone.add([(peer, 9) for peer in others])
        for peer in others:
            dut.add_valid.value, dut.add_dst.value, dut.add_cells.value = 1, peer, 9
            await RisingEdge(dut.clk)
        dut.add_valid.value = 0
        await RisingEdge(dut.clk)
        for _ in range(10 * parameters()["DELAY"]):
            await alone.slot([(random.choice(others), 2)], arrives)
        alone.check()
        assert alone.counts()["sent"] > parameters()["DELAY"]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def adds_of_nothing(dut):
    """No cells, cells for the host itself, and cells for hosts that there are none of: nothing is ever sent."""
    hosts = parameters()["HOSTS"]
    alone = Alone(dut, 0)
    await alone.reset()
    nothing = [(0, 5), (1, 0), *((host, 3) for host in range(hosts, 1 << (hosts - 1).bit_length()))]
    for _ in range(40):
        for clock in range(CLOCKS):
            await alone.one_clock(clock == 0, random.choice(nothing), None)
    assert {one[1] for one in alone.seen} <= {"line", "lost"} and len(alone.seen) > 300


@pytest.mark.parametrize("hosts,delay,gate", [(5, 6, 4), (8, 21, 7), (4, 1, 0), (16, 90, 0)])
@pytest.mark.quick("5-6")
def test_ww_shoal_control_peers(hosts, delay, gate):
    cells, window = (hosts, 32) if hosts != 8 else (11, 64)
    parameters = {"HOSTS": hosts, "DELAY": delay, "GATE": gate, "CELLS": cells, "WINDOW": window}
    simulate("ww_shoal_control", parameters, public=True)
