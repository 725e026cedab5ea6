"""ww_shoal_control: all hosts of a fabric against the rules `shoal`, every slot of every host.

spec: docs/fabric-rules.md; docs/fabric.md, "Failures"; 004-pieo-shoal 2.11, 2.14, 2.17
"""

import random
import struct
from collections.abc import Callable

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from rules import BAD_FRAME, BAD_HEADER, SEQS, SILENCE, Cell, Done, Fabric, crc11, header

from testing import is_quick, parameters, simulate

# For each slot, (src, dst, cells).
Load = dict[int, list[tuple[int, int, int]]]


def marks(seq: int) -> int:
    """Start and end of packet that the test's hosts give cell `seq`."""
    return (seq % 7 == 2) | (seq % 5 == 3) << 1


class Bench:
    """The fabric in Verilog, a slot at a time."""

    def __init__(self, dut):
        self.dut = dut
        given = parameters()
        self.hosts, self.delay, self.gate, self.clocks = given["HOSTS"], given["DELAY"], given["GATE"], given["SLOT_CYCLES"]
        self.cells, self.window, self.least = given["CELLS"], given["WINDOW"], given["LEAST"]
        self.width = (self.hosts - 1).bit_length()
        self.clock = None

    async def begin(self, first_adds: list[tuple[int, int, int]], deaths: bool = False) -> Fabric:
        dut = self.dut
        if self.clock is None:
            self.clock = Clock(dut.clk, 6400, "ps")
            self.clock.start()
        for signal in (dut.slot_begin, dut.add_valid, dut.add_dst, dut.add_cells, dut.flip, dut.bad, dut.mute, dut.cut):
            signal.value = 0
        for signal in (dut.hold, dut.first_slot, dut.begin_valid, dut.begin_own, dut.begin_peer, dut.begin_missing, dut.begin_next, dut.begin_dead):
            signal.value = 0
        dut.deaths.value, dut.run.value = int(deaths), (1 << self.hosts) - 1
        dut.pause.value = dut.repair.value = dut.members.value = dut.sources.value = 0
        dut.rst.value = 1
        for _ in range(3):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        for _ in range(random.randint(1, 30)):
            await RisingEdge(dut.clk)
        await self.clocks_of_slot(first_adds, len(first_adds) + 1, begins=False)
        again = 2 * self.delay // (self.hosts - 1) + 2
        return Fabric(self.hosts, self.delay, self.gate, self.cells, self.window, deaths, again)

    def field(self, signal, bits: int) -> list[int]:
        value = int(signal.value)
        return [value >> bits * h & ((1 << bits) - 1) for h in range(self.hosts)]

    async def clocks_of_slot(self, adds, clocks: int, begins: bool = True, starts: list[tuple] = (), frees: int = 0) -> None:
        """Gives `adds` in some of the clocks, one a clock and host at most. Behind the first clock only hosts of `frees` are held, and start signals
        come."""
        dut, width = self.dut, self.width
        signals: dict[int, list[tuple]] = {}
        for signal in starts:
            signals.setdefault(signal[0], []).append(signal)
        per_clock: dict[int, list[tuple[int, int, int]]] = {}
        for src in {src for src, _, _ in adds}:
            own = [add for add in adds if add[0] == src]
            for clock, add in zip(sorted(random.sample(range(clocks), len(own))), own, strict=True):
                per_clock.setdefault(clock, []).append(add)
        quiet = True
        for clock in range(clocks):
            dut.slot_begin.value = int(begins and clock == 0)
            given = per_clock.get(clock, [])
            if given or not quiet:
                dut.add_valid.value = sum(1 << src for src, _, _ in given)
                dut.add_dst.value = sum(dst << width * src for src, dst, _ in given)
                dut.add_cells.value = sum(cells << 32 * src for src, _, cells in given)
                quiet = not given
            if starts:
                dut.hold.value = dut.hold.value if clock == 0 else frees
                # Others are told when the cell of the slot has its number.
                due = [own for own in signals.values() if own and clock > (1 if len(own[0]) > 3 else 6)]
                self.give_starts([own.pop(0) for own in due])
            await RisingEdge(dut.clk)
        if starts:
            self.give_starts([])
            assert not any(signals.values()), "a slot has too few clocks"
        dut.slot_begin.value = 0
        if not quiet:
            dut.add_valid.value = 0

    def give_sources(self, fabric: Fabric) -> None:
        """Who sent what arrives in the slot that begins."""
        sent = fabric.slot - self.delay + 1
        if sent >= fabric.base:
            self.dut.sources.value = sum(u << self.width * fabric.peer(u, sent) for u in fabric.members)

    def give_starts(self, starts: list[tuple]) -> None:
        """Start signals: to a host, about a peer, the number that is missing, and to the one that comes back the next number and whether the peer is
        dead."""
        dut, width = self.dut, self.width
        dut.begin_valid.value = sum(1 << start[0] for start in starts)
        dut.begin_own.value = sum(1 << start[0] for start in starts if len(start) > 3)
        dut.begin_peer.value = sum(start[1] << width * start[0] for start in starts)
        dut.begin_missing.value = sum(start[2] % SEQS << 20 * start[0] for start in starts)
        dut.begin_next.value = sum(start[3] % SEQS << 20 * start[0] for start in starts if len(start) > 3)
        dut.begin_dead.value = sum(start[4] << start[0] for start in starts if len(start) > 3)

    def give_faults(self, faults: dict[int, str]) -> None:
        """What happens to the cells that arrive in the slot that begins."""
        dut = self.dut
        flip = bad = mute = cut = 0
        for h, fault in faults.items():
            if fault == BAD_FRAME and random.random() < 0.5:
                bad |= 1 << h
            elif fault == BAD_FRAME:
                cut |= 1 << h
            elif fault == SILENCE:
                mute |= 1 << h
            else:
                # Up to three bits are always found.
                flip |= sum(1 << bit for bit in random.sample(range(64), random.randint(1, 3))) << 64 * h
        dut.flip.value, dut.bad.value, dut.mute.value, dut.cut.value = flip, bad, mute, cut

    def check(self, slot: int, done: list[Done], before: list[Done] | None) -> None:
        """What the hosts did in the slot that has just ended, and of what they said of the slot before that."""
        width = self.width
        low = (1 << width) - 1
        sent = self.field(self.dut.sent, 3 * width + 22)
        queued = self.field(self.dut.queued, 2 * width + 22)
        found = self.field(self.dut.found, 4)
        received = self.field(self.dut.received, width + 23)
        events = self.field(self.dut.events, 5)
        headers = self.field(self.dut.headers, 64)
        lost_from = self.field(self.dut.lost_from, width)
        told_lost_by = self.field(self.dut.told_lost_by, width)
        for h, what in enumerate(done):
            if not what.alive:
                continue
            at = f"slot {slot}, host {h}"
            cell = what.sent
            expected = 0 if cell is None else ((2 | what.again) << width | what.to) << 2 * width | cell.src << width | cell.dst
            expected = 0 if cell is None else expected << 20 | cell.seq & 0xFFFFF
            assert sent[h] == expected, f"{at} sent {sent[h]:#x}, by the rules {cell} to {what.to}: {expected:#x}"
            again = what.rerouted is not None
            expected = 0 if what.queued is None else ((2 | again) << width | what.queued[0]) << width | what.queued[1]
            expected = expected << 20 | (what.rerouted or 0) % SEQS
            assert queued[h] == expected, f"{at} queued {queued[h]:#x}, by the rules {what.queued}, {what.rerouted}"
            assert found[h] == what.found, f"{at} found {found[h]} cells that went over a dead host, by the rules {what.found}"
            cell = what.received
            expected = 0
            if cell is not None:
                own = marks(cell.seq)
                expected = ((4 | (own & 1) << 1 | own >> 1) << width | cell.src) << 20 | cell.seq & 0xFFFFF
            assert received[h] == expected, f"{at} received {received[h]:#x}, by the rules {cell}"
            assert events[h] >> 3 & 1 == 0, f"{at}: twice in a slot"
            assert events[h] >> 4 == what.duplicate, at
            assert events[h] >> 1 & 1 == what.overflow, at
            assert events[h] >> 2 & 1 == (what.told_lost_by is not None), at
            if what.told_lost_by is not None:
                assert told_lost_by[h] & low == what.told_lost_by, at
            if before is None or not before[h].alive:
                continue
            was = before[h]
            at = f"slot {slot - 1}, host {h}"
            cell = was.sent or Cell(h, h, was.missing)
            expected = header(cell.src, cell.dst, cell.seq, was.report, marks(cell.seq) if was.sent else 0, was.told_lost)
            assert headers[h] == expected, f"{at}: header {headers[h]:#018x}, by the rules {expected:#018x}: {cell}, {was.report}"
            assert events[h] & 1 == (was.lost_from is not None), at
            if was.lost_from is not None:
                assert lost_from[h] == was.lost_from, at

    async def run(self, load: Load, slots: int, fault_rate: float = 0.0) -> Fabric:
        """At least `slots` slots, and until everything has arrived."""
        fabric = await self.begin(load.get(0, []))
        before = last = None
        cells = received = duplicates = 0
        while fabric.slot < slots or not fabric.is_idle():
            slot = fabric.slot
            assert slot < slots + 20_000, "it does not end"
            faults = None
            if fault_rate > 0.0:
                faults = {}
                for h in range(self.hosts):
                    if slot >= self.delay - 1 and random.random() < fault_rate:
                        faults[h] = random.choice((BAD_FRAME, BAD_HEADER, SILENCE))
                self.give_faults(faults)
            self.give_sources(fabric)
            await self.clocks_of_slot(load.get(slot + 1, []), self.clocks)
            if last is not None:
                self.check(slot - 1, last, before)
            before, last = last, fabric.run_slot(load.get(slot, []), faults)
            cells += sum(cells for _, _, cells in load.get(slot, []))
            received += sum(what.received is not None for what in last)
            duplicates += sum(what.duplicate for what in last)
        # The payloads of the last cells.
        await self.clocks_of_slot([], self.clocks)
        self.check(fabric.slot - 1, last, before)
        await self.clocks_of_slot([], self.clocks)
        assert int(self.dut.errors.value) == 0, "words to the line are not in their place"
        assert int(self.dut.payload_errors.value) == 0
        assert int(self.dut.payloads.value) == received
        # Whatever is lost on the way, each cell arrives once.
        assert received == cells
        assert fault_rate == 0.0 or duplicates > 0
        return fabric


    def alive(self, slot: int, events: dict[int, list[tuple[int, bool]]]) -> set[int]:
        alive = set(range(self.hosts))
        for when in sorted(events):
            for h, lives in events[when] if when <= slot else []:
                (alive.add if lives else alive.discard)(h)
        return alive

    def start_signals(self, fabric: Fabric, h: int, alive: set[int]) -> tuple[list[tuple], list[tuple]]:
        """Of a host that comes back: to itself, and to the others."""
        peers = fabric.others(h)
        seq = [host.seq for host in fabric.hosts]
        return [(h, f, seq[f][h], seq[h][f], int(f not in alive)) for f in peers], [(f, h, seq[h][f]) for f in peers]

    async def run_with_deaths(
        self, load: Load, slots: int, events: dict[int, list[tuple[int, bool]]], fault_rate: float, repair: tuple[int, int] | None = None
    ) -> dict[str, int]:
        """So many slots, and more until all cells of hosts that never die have arrived, but not for ever; in those of `events` hosts die, or come back if
        True. From the first slot of `repair` on nothing leaves, and with the second one a schedule without the dead hosts begins. Returns how often what
        happened."""

        def live(slot: int) -> list[tuple[int, int, int]]:
            return [add for add in load.get(slot, []) if {add[0], add[1]} <= self.alive(slot, events)]

        def back_in(slot: int) -> list[int]:
            return [h for h, lives in events.get(slot, []) if lives]

        adds = live(0)
        fabric, dut = await self.begin(adds, deaths=True), self.dut
        counts = {"died": 0, "found": 0, "rerouted": 0, "told": 0, "duplicate": 0, "waiting": 0}
        before = last = None
        mortal = {h for what in events.values() for h, _ in what}
        for slot in range(slots + 1000 * self.hosts):
            if slot >= slots and not fabric.missing(mortal):
                break
            for h, lives in events.get(slot, []):
                (fabric.revive if lives else fabric.kill)(h)
            # A host is held from two slots behind its death on, until two slots before its return, when its start signals begin to come.
            alive = self.alive(slot, events)
            dut.run.value = sum(1 << h for h in alive | self.alive(slot - 1, events) | self.alive(slot - 2, events))
            hold = set(range(self.hosts)) - self.alive(slot - 2, events) - alive
            early, late = back_in(slot + 2), back_in(slot + 1)
            dut.hold.value = sum(1 << h for h in hold - set(late))
            starts: list[tuple] = []
            for h in early + late:
                # Of those that come back together, each takes those behind it for dead, until it hears of them.
                together = early if h in early else late
                there = self.alive(slot + (2 if h in early else 1), events) - set(together[together.index(h) + 1 :])
                own, others = self.start_signals(fabric, h, there)
                # Those that come back with it know it.
                starts += own[: len(own) // 2] if h in early else own[len(own) // 2 :] + [start for start in others if start[0] in alive]
            if early:
                dut.first_slot.value = (slot + 2) % (self.hosts - 1)
            if repair is not None:
                fabric.pauses = repair[0] <= slot < repair[1]
                dut.pause.value, dut.repair.value = int(fabric.pauses), int(slot == repair[1])
                if slot == repair[1]:
                    fabric.repair(sorted(alive))
                    dut.members.value = sum(1 << h for h in alive)
            self.give_sources(fabric)
            faults = {}
            if fault_rate > 0.0 and slot >= self.delay - 1:
                faults = {h: random.choice((BAD_FRAME, BAD_HEADER)) for h in range(self.hosts) if random.random() < fault_rate}
            sent = slot - self.delay + 1
            if sent >= fabric.base:
                faults |= {fabric.peer(u, sent): SILENCE for u in fabric.silent.get(sent, ()) if u in fabric.members}
            self.give_faults(faults)
            given = live(slot + 1)
            await self.clocks_of_slot(given, self.clocks, starts=starts, frees=sum(1 << h for h in hold - set(early + late)))
            if last is not None:
                self.check(slot - 1, last, before)
            before, last = last, fabric.run_slot(adds, faults, late)
            adds = given
            counts["died"] += sum(len(host.dead) for host in fabric.hosts)
            counts["found"] += sum(what.found for what in last)
            counts["rerouted"] += sum(what.rerouted is not None for what in last)
            counts["told"] += sum(what.queued is not None and what.queued[1] == h for h, what in enumerate(last))
            counts["duplicate"] += sum(what.duplicate for what in last)
            counts["waiting"] = max(counts["waiting"], *(len(again) for host in fabric.hosts for again in host.again.values()))
        assert int(dut.errors.value) == int(dut.payload_errors.value) == 0
        # Each cell of hosts that never die arrives, and once.
        assert not fabric.missing(mortal), "cells that have not arrived, by destination and source"
        return counts


async def run(dut, make: Callable[[int], Load], fault_rate: float = 0.0) -> Fabric:
    bench = Bench(dut)
    load = make(bench.hosts)
    return await bench.run(load, max(load) + 2, fault_rate)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def permutation(dut):
    """Each host to one other, for as long that each link is full."""

    def make(hosts: int) -> Load:
        order = list(range(hosts))
        while any(n == order[n] for n in range(hosts)):
            random.shuffle(order)
        return {3: [(n, order[n], 60 * hosts) for n in range(hosts)]}

    await run(dut, make)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def incast(dut):
    """All to host 0, in the first slot."""
    fabric = await run(dut, lambda hosts: {0: [(n, 0, 10) for n in range(1, hosts)]})
    assert fabric.longest >= 2


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def all_to_all(dut):
    """All pairs become active in one slot: as many adds as there are peers."""

    def make(hosts: int) -> Load:
        peers = min(hosts - 1, 11)
        return {5: [(n, (n + 1 + m) % hosts, random.randint(1, 30)) for n in range(hosts) for m in range(peers)]}

    await run(dut, make)


def bursts(hosts: int, slots: int, flows: int, cells: int) -> Load:
    load: Load = {}
    for _ in range(flows):
        src, slot = random.randrange(hosts), random.randrange(slots)
        given = load.setdefault(slot, [])
        if sum(add[0] == src for add in given) < 11:
            dst = (src + random.randint(1, hosts - 1)) % hosts
            given.append((src, dst, random.randint(1, cells)))
    return load


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def random_loads(dut):
    """Flows at random, in bursts and alone; pairs that end and begin again before what they have sent is answered."""
    for _ in range(2 if is_quick() else 30):
        slots = random.choice((10, 100, 600))
        cells = random.choice((1, 2, 5, 40))
        await run(dut, lambda hosts, slots=slots, cells=cells: bursts(hosts, slots, random.randint(1, 8 * hosts), cells))


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def pairs_that_end_and_begin(dut):
    """Few pairs, a cell or two at a time, over and over: some in the slot in which the last one joins its queue."""
    for _ in range(1 if is_quick() else 20):

        def make(hosts: int) -> Load:
            pairs = [(src, (src + random.randint(1, hosts - 1)) % hosts) for src in range(hosts) for _ in range(2)]
            pairs += [(src, 0) for src in range(1, hosts)]
            pairs = list(dict.fromkeys(pairs))
            load: Load = {}
            rate = random.choice((0.05, 0.2, 0.5))
            for slot in range(400):
                load[slot] = [(src, dst, random.randint(1, 2)) for src, dst in pairs if random.random() < rate / 4]
            return load

        await run(dut, make)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def single_cells_for_all(dut):
    """As much as a link takes, a cell at a time for any host: pairs of which many end while the next cell is added wait for each other."""

    def make(hosts: int) -> Load:
        rate = random.choice((0.8, 0.95)) / (hosts - 1)
        pairs = [(src, dst) for src in range(hosts) for dst in range(hosts) if src != dst]
        return {slot: [(src, dst, 1) for src, dst in pairs if random.random() < rate] for slot in range(400)}

    for _ in range(2 if is_quick() else 10):
        await run(dut, make)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def cells_that_are_lost(dut):
    """Cells that do not come, headers with errors, bad frames: peers are told and send again, and each cell arrives once."""
    for rate in (0.03, 0.2, 0.5):
        await run(dut, lambda hosts: bursts(hosts, 300, 6 * hosts, 30), rate)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def cells_that_are_lost_in_full_links(dut):
    """All links full, and many to one: queues have more cells than without errors, and those that have no room come again."""

    def make(hosts: int) -> Load:
        return {2: [(n, (n + 1) % hosts, 20 * hosts) for n in range(hosts)], 9: [(n, 0, 40) for n in range(1, hosts)]}

    for rate in (0.1, 0.3):
        await run(dut, make, rate)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def hosts_that_die(dut):
    """Up to all but two hosts die, some come back, some twice: cells that went over them go over others, and of those between hosts that live none is
    lost."""
    bench = Bench(dut)
    hosts, sums = bench.hosts, {}
    absence = 2 * (hosts - 1 + bench.delay)
    for fault_rate in (0.0, 0.05) if is_quick() else (0.0, 0.05, 0.0, 0.2) * 4:
        events: dict[int, list[tuple[int, bool]]] = {}
        gone, back, *others = random.sample(range(hosts), random.randint(2, hosts - 2))
        # One comes back and has cells to send, while another is still dead.
        events[80] = [(gone, False), (back, False)]
        events[80 + absence] = [(back, True)]
        for h in others:
            # Some die together.
            slot = random.choice((100, random.randint(1, 200)))
            for _ in range(random.randint(1, 2)):
                events.setdefault(slot, []).append((h, False))
                if random.random() < 0.2:
                    break
                slot += absence + random.choice((0, 1, 5, 60))
                events.setdefault(slot, []).append((h, True))
                slot += absence + random.choice((0, 1, 5, 60))
        # Deaths of a slot before returns.
        events = {slot: sorted(what, key=lambda event: event[1]) for slot, what in events.items()}
        load = bursts(hosts, 200, 6 * hosts, 40)
        for slot, adds in bursts(hosts, max(events), 6 * hosts, 20).items():
            load.setdefault(slot, []).extend(adds)
        load.setdefault(80 + absence, []).extend((back, f, 20) for f in range(hosts) if f != back)
        load = {slot: adds[-10:] for slot, adds in load.items()}
        slots = max(events) + 150 * hosts
        counts = await bench.run_with_deaths(load, slots, events, fault_rate)
        assert counts.pop("waiting") <= 1
        for what, count in counts.items():
            sums[what] = sums.get(what, 0) + count
    assert min(sums.values()) > 0, sums


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def a_schedule_without_the_dead(dut):
    """Some hosts die, and a schedule of the others takes the place of the first, while flows go on; with errors, too: cells that were lost wait for
    it, several on a link."""
    bench = Bench(dut)
    hosts, sums, longest = bench.hosts, {}, 0
    epoch, way = hosts - 1, hosts - 1 + bench.delay
    for fault_rate in (0.0, 0.2) if is_quick() else (0.0, 0.2, 0.05, 0.4) * 4:
        events: dict[int, list[tuple[int, bool]]] = {}
        for h in random.sample(range(hosts), random.randint(1, hosts - bench.least)):
            events.setdefault(random.choice((50, random.randint(1, 100))), []).append((h, False))
        pause = max(events) + way
        switch = -(-(pause + 2 * way) // epoch) * epoch
        load = bursts(hosts, switch + 200, 12 * hosts, 40)
        for slot in (0, pause - way):
            load.setdefault(slot, []).extend((n, (n + 1) % hosts, 10 * way // epoch) for n in range(hosts))
        # Pairs that begin in the last epoch of the first schedule.
        load.setdefault(switch - 2, []).extend((n, (n + 3) % hosts, 2 * hosts) for n in range(hosts))
        load = {slot: adds[-10:] for slot, adds in load.items()}
        counts = await bench.run_with_deaths(load, switch + 200 + 150 * hosts, events, fault_rate, (pause, switch))
        longest = max(longest, counts.pop("waiting"))
        for what, count in counts.items():
            sums[what] = sums.get(what, 0) + count
    assert min(sums.values()) > 0, sums
    assert longest > 1 or bench.delay < hosts, "no two cells of a link waited to be sent again"


# Delays of less than an epoch, of several epochs, and the prototype's; hosts that are and are not a power of two; without a gate and with a
# longer one; longer slots.
@pytest.mark.parametrize(
    "hosts,delay,gate,cycles,rx,cells,window,least",
    [
        (8, 21, 7, 12, 1, 32, 256, 3),
        (4, 3, 3, 12, 1, 4, 64, 3),
        (9, 3, 0, 13, 3, 9, 128, 6),
        (5, 16, 11, 12, 0, 7, 128, 3),
        (16, 40, 15, 12, 2, 20, 512, 12),
    ],
)
@pytest.mark.quick("8-21", "4-3")
def test_ww_shoal_control(hosts, delay, gate, cycles, rx, cells, window, least):
    simulate(
        "ww_shoal_control_fabric",
        {
            "HOSTS": hosts,
            "DELAY": delay,
            "GATE": gate,
            "SLOT_CYCLES": cycles,
            "RX_CLOCK": rx,
            "CELLS": cells,
            "WINDOW": window,
            "LEAST": least,
        },
    )


def test_headers_find_three_errors():
    """No error of one to three bits is itself a header: the difference of two is a multiple of the polynomial."""
    zero = crc11(0)
    syndromes = [(crc11(1 << bit) ^ zero) for bit in range(53)] + [1 << bit for bit in range(11)]
    assert 0 not in syndromes and len(set(syndromes)) == 64
    pairs = {a ^ b for n, a in enumerate(syndromes) for b in syndromes[:n]}
    assert not pairs & set(syndromes)
    # And it is CRC-11 as the world has it: the check value of "123456789" with these ones at first, by a register of bits.
    register = 0x7FF
    fields = struct.unpack("<Q", b"12345678")[0] & ((1 << 53) - 1)
    for bit in range(52, -1, -1):
        register = register << 1 & 0x7FF ^ (0x307 if (register >> 10 ^ fields >> bit) & 1 else 0)
    assert register == crc11(fields)
