"""ww_shoal_prototype: cells reach their peer 20 slots after the one in which they were sent, whole, and nothing else does.

spec: 004-pieo-shoal 2.8, 2.11, 2.12, 2.13, 2.15; check 22
"""

import random
from collections import defaultdict

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

from testing import simulate

HOSTS, SLOTS, SLOT_CYCLES, DELAY = 8, 7, 12, 21
PERIOD_PS = 6400


def field(value: int, host: int, bits: int) -> int:
    return value >> host * bits & ((1 << bits) - 1)


class Prototype:
    """Clocks of the prototype, and what its monitors tell of each slot."""

    def __init__(self, dut):
        self.dut = dut
        self.sent: list[tuple[int, int, int, int, int]] = []
        self.received: list[tuple[int, int, int, int]] = []
        self.errors = self.bad_frames = self.lost = self.cuts = 0
        # Slot and host of each bad frame, and of each slot without a good cell.
        self.bad: list[tuple[int, int]] = []
        self.missing: list[tuple[int, int]] = []
        self.slots = [-1] * HOSTS

    async def begin(self, offsets: dict[int, int] | None = None, lock: int = 0) -> None:
        """Reset, schedules, go; all hosts live, and silence is no death."""
        dut = self.dut
        for name in ("pause", "repair", "members", "row_valid", "row_switch", "row_index", "row_data", "repaired_rows"):
            getattr(dut, name).value = 0
        for name in ("begin_valid", "begin_own", "begin_peer", "begin_missing", "begin_next", "begin_dead"):
            getattr(dut, name).value = 0
        dut.deaths.value, dut.lives.value, dut.lock.value = 0, 0xFF, lock
        dut.rst.value, dut.go.value, dut.add_valid.value, dut.add_dst.value, dut.add_cells.value = 1, 0, 0, 0, 0
        dut.damage.value = 0
        dut.offset.value = sum((late & 0xFF) << 8 * host for host, late in (offsets or {}).items())
        for _ in range(4):
            await RisingEdge(dut.clk)
        dut.rst.value = 0
        while not int(dut.ready.value):
            await RisingEdge(dut.clk)
        dut.go.value = 1
        await RisingEdge(dut.clk)
        dut.go.value = 0

    async def clock(self) -> bool:
        """One clock; whether a slot of the fabric begins in it."""
        await RisingEdge(self.dut.clk)
        dut = self.dut
        for host in range(HOSTS):
            self.slots[host] += int(dut.host_slot_begin.value) >> host & 1
        if sent := int(dut.sent_valid.value):
            for host in range(HOSTS):
                if sent >> host & 1:
                    names = (dut.sent_to, dut.sent_src, dut.sent_dst)
                    values = [field(int(signal.value), host, 3) for signal in names]
                    self.sent.append((self.slots[host], host, *values, field(int(dut.sent_seq.value), host, 20)))
        if received := int(dut.received_valid.value):
            for host in range(HOSTS):
                if received >> host & 1:
                    source = field(int(dut.received_src.value), host, 3)
                    self.received.append((self.slots[host], source, host, field(int(dut.received_seq.value), host, 20)))
        self.errors += int(dut.payload_error.value).bit_count()
        if bad := int(dut.event_bad_frame.value):
            self.bad += [(self.slots[host], host) for host in range(HOSTS) if bad >> host & 1]
        self.bad_frames += bad.bit_count()
        if missing := int(dut.event_lost.value):
            # It is told in the slot behind.
            self.missing += [(self.slots[host] - 1, host) for host in range(HOSTS) if missing >> host & 1]
        self.lost += (int(dut.event_lost.value) | int(dut.event_overflow.value)).bit_count()
        self.cuts += int(dut.event_cut.value)
        return bool(int(dut.slot_begin.value))

    async def slots_go_by(self, count: int) -> None:
        while count:
            count -= await self.clock()

    async def add(self, cells: list[tuple[int, int, int]]) -> None:
        """Gives (source, destination, number) to the hosts, one a clock."""
        for source, destination, number in cells:
            self.dut.add_valid.value = 1 << source
            self.dut.add_dst.value = destination << 3 * source
            self.dut.add_cells.value = number << 32 * source
            await self.clock()
        self.dut.add_valid.value = 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_cell_is_complete_20_slots_behind_its_own(dut):
    Clock(dut.clk, PERIOD_PS, unit="ps").start()
    fabric = Prototype(dut)
    await fabric.begin()
    pairs = [(i, j) for i in range(HOSTS) for j in range(HOSTS) if i != j]
    cells = [(*pair, random.randint(0, 6)) for pair in random.sample(pairs, len(pairs))]
    await fabric.add(cells)
    await fabric.slots_go_by(60 * SLOTS)
    assert fabric.errors == fabric.bad_frames == fabric.lost == fabric.cuts == int(dut.cut_cells.value) == 0
    sent = defaultdict(set)
    for slot, host, to, source, destination, number in fabric.sent:
        assert to == (host + slot % SLOTS + 1) % HOSTS
        if to == destination:
            sent[slot + DELAY - 1].add((source, destination, number))
    received = defaultdict(set)
    for slot, *cell in fabric.received:
        received[slot].add(tuple(cell))
    assert sent == received
    # All of them, also those that a third host has sent on.
    assert sorted(cell for _, *cell in fabric.received) == sorted([i, j, n] for i, j, count in cells for n in range(count))
    assert any(to != destination for _, _, to, _, destination, _ in fabric.sent)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def headers_with_errors_are_bad_frames_and_cells_come_once(dut):
    """The header of one cell in ten has one to three bits inverted on the line: that cell's frame is bad at its peer, 20 slots later, and no other
    is; and each cell is at its destination once."""
    Clock(dut.clk, PERIOD_PS, unit="ps").start()
    fabric = Prototype(dut)
    await fabric.begin()
    cells = [(i, (i + shift) % HOSTS, random.randint(5, 15)) for i in range(HOSTS) for shift in random.sample(range(1, HOSTS), 2)]
    await fabric.add(cells)
    damaged = set()
    for slot in range(100 * SLOTS):
        damage = 0
        for host in range(HOSTS):
            if random.random() < 0.1 and slot < 80 * SLOTS:
                damage |= sum(1 << bit for bit in random.sample(range(64), random.randint(1, 3))) << 64 * host
                damaged.add((slot + DELAY - 1, (host + slot % SLOTS + 1) % HOSTS))
        dut.damage.value = damage
        await fabric.slots_go_by(1)
    assert set(fabric.bad) == damaged and len(fabric.bad) == len(damaged)
    assert fabric.lost == len(damaged) and fabric.errors == fabric.cuts == 0
    assert sorted(cell for _, *cell in fabric.received) == sorted([i, j, n] for i, j, count in cells for n in range(count))
    assert len(fabric.sent) > sum(to == cell[1] for _, _, to, *cell in fabric.sent) > len(fabric.received), "nothing was sent again"


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_dead_host_sends_no_frame(dut):
    """Host 3 is dead in slots 100 to 199. Each cell that it would have sent then is missing at its peer 20 slots later, and no other is; no frame is cut or
    damaged. What it has to send when it comes back leaves in slot 200, with the peer that the schedule has for it then."""
    Clock(dut.clk, PERIOD_PS, unit="ps").start()
    mortal, death, birth = 3, 100, 200
    for late, lock in ((0, 0), (1, 0), (0, 1)):
        fabric = Prototype(dut)
        await fabric.begin({mortal: late}, lock=lock)
        peer = (mortal + birth % SLOTS + 1) % HOSTS
        while not await fabric.clock():
            pass
        for slot in range(300):
            # What is there when the next slot begins is about the one behind it.
            dut.lives.value = 0xFF & ~((death <= slot + 2 < birth) << mortal)
            await fabric.slots_go_by(1)
            if slot + 2 == birth:
                await fabric.clock()
                await fabric.add([(mortal, peer, 1)])
        assert fabric.errors == fabric.bad_frames == fabric.cuts == 0
        silent = {(slot + DELAY - 1, (mortal + slot % SLOTS + 1) % HOSTS) for slot in range(death, birth)}
        assert set(fabric.missing) == silent and len(fabric.missing) == len(silent)
        # The host knows that this is its peer: it would be a relayed cell over any other.
        assert [cell[1:] for cell in fabric.sent] == [(mortal, peer, mortal, peer, 0)]
        assert fabric.received == [(birth + DELAY - 1, mortal, peer, 0)]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def beyond_the_guard_cells_are_cut_and_counted(dut):
    """The slot clocks of hosts 0 and 5 may be late by one clock, for a frame has 10 of the 11 clocks of a slot that are not guard band. If they are
    early, or later, each of their cells is cut once, at the host's leaf. Cells of other hosts are whole in any case."""
    Clock(dut.clk, PERIOD_PS, unit="ps").start()
    for late in (-1, 0, 1, 2):
        fabric = Prototype(dut)
        await fabric.begin({0: late, 5: late})
        # From others to others, and from one of the two.
        await fabric.add([(2, 3, 9), (3, 2, 9), (5, 2, 9), (5, 6, 9)])
        await fabric.slots_go_by(30 * SLOTS)
        before = int(dut.cut_cells.value)
        cuts = fabric.cuts
        await fabric.slots_go_by(20)
        told = int(dut.cut_cells.value) - before
        assert (told, fabric.cuts - cuts) == ((0, 0) if late in (0, 1) else (40, 20)), f"{late} clocks late"
        assert fabric.errors == 0
        # What the two send is lost, and what comes to them if their slots begin too late for that.
        lost = set() if late in (0, 1) else {0, 5}
        arrives = {(slot + DELAY - 1, *cell) for slot, host, to, *cell in fabric.sent if to == cell[1] and not {host, to} & lost}
        assert {cell for cell in fabric.received if cell[2] not in lost} == arrives, f"{late} clocks late"
        assert lost or len(fabric.received) == 36
        assert (fabric.bad_frames > 0) == (late == 2), "a frame without its preamble does not appear"


def test_ww_shoal_prototype():
    simulate("ww_shoal_prototype")
