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
from rules import BAD_FRAME, GOOD, NOTHING, Cell, Done, Fabric, crc11, header

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
        self.cells, self.window = given["CELLS"], given["WINDOW"]
        self.width = (self.hosts - 1).bit_length()
        self.clock = None

    async def begin(self, first_adds: list[tuple[int, int, int]]) -> Fabric:
        dut = self.dut
        if self.clock is None:
            self.clock = Clock(dut.clk, 6400, "ps")
            self.clock.start()
        for signal in (dut.slot_begin, dut.add_valid, dut.add_dst, dut.add_cells, dut.flip, dut.bad, dut.mute, dut.cut):
            signal.value = 0
        dut.rst.value = 1
        for _ in range(3):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        for _ in range(random.randint(1, 30)):
            await RisingEdge(dut.clk)
        await self.clocks_of_slot(first_adds, len(first_adds) + 1, begins=False)
        return Fabric(self.hosts, self.delay, self.gate, self.cells, self.window)

    def field(self, signal, bits: int) -> list[int]:
        value = int(signal.value)
        return [value >> bits * h & ((1 << bits) - 1) for h in range(self.hosts)]

    async def clocks_of_slot(self, adds, clocks: int, begins: bool = True) -> None:
        """Gives `adds` in some of the clocks, one a clock and host at most."""
        dut, width = self.dut, self.width
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
            await RisingEdge(dut.clk)
        dut.slot_begin.value = 0
        if not quiet:
            dut.add_valid.value = 0

    def give_faults(self, faults: dict[int, str]) -> None:
        """What happens to the cells that arrive in the slot that begins."""
        dut = self.dut
        flip = bad = mute = cut = 0
        for h, fault in faults.items():
            if fault == BAD_FRAME and random.random() < 0.5:
                bad |= 1 << h
            elif fault == BAD_FRAME:
                cut |= 1 << h
            elif random.random() < 0.5:
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
        queued = self.field(self.dut.queued, 2 * width + 1)
        received = self.field(self.dut.received, width + 23)
        events = self.field(self.dut.events, 5)
        headers = self.field(self.dut.headers, 64)
        lost_from = self.field(self.dut.lost_from, width)
        told_lost_by = self.field(self.dut.told_lost_by, width)
        for h, what in enumerate(done):
            at = f"slot {slot}, host {h}"
            cell = what.sent
            expected = 0 if cell is None else ((2 | what.again) << width | what.to) << 2 * width | cell.src << width | cell.dst
            expected = 0 if cell is None else expected << 20 | cell.seq & 0xFFFFF
            assert sent[h] == expected, f"{at} sent {sent[h]:#x}, by the rules {cell} to {what.to}: {expected:#x}"
            expected = 0 if what.queued is None else (1 << width | what.queued[0]) << width | what.queued[1]
            assert queued[h] == expected, f"{at} queued {queued[h]:#x}, by the rules {what.queued}"
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
            if before is None:
                continue
            was = before[h]
            at = f"slot {slot - 1}, host {h}"
            cell = was.sent or Cell(h, h, 0)
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
                        faults[h] = random.choice((BAD_FRAME, NOTHING, NOTHING))
                self.give_faults(faults)
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


# Delays of less than an epoch, of several epochs, and the prototype's; hosts that are and are not a power of two; without a gate and with a
# longer one; longer slots.
@pytest.mark.parametrize(
    "hosts,delay,gate,cycles,rx,cells,window",
    [
        (8, 21, 7, 12, 1, 32, 256),
        (4, 3, 3, 12, 1, 4, 16),
        (9, 3, 0, 13, 3, 9, 64),
        (5, 16, 11, 12, 0, 7, 32),
        (16, 40, 15, 12, 2, 20, 512),
    ],
)
@pytest.mark.quick("8-21", "4-3")
def test_ww_shoal_control(hosts, delay, gate, cycles, rx, cells, window):
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
