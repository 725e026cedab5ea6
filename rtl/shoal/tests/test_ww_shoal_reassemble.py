"""ww_shoal_reassemble behind ww_shoal_segment: packets go through a network that holds cells back, loses, doubles and damages them.

spec: 004-pieo-shoal 2.11
"""

import random
from collections import defaultdict

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamFrame

from testing import is_quick, parameters, pauses, receive, simulate, sink, source, start

PAYLOAD, HOST = 56, 2


class Network:
    """So many clocks for each cell. Each source's cells leave in any order within `spread`; what becomes of each is chosen by `fate`:
    "", "lost", "twice", "marks" or "length"."""

    def __init__(self, dut, spread: int, fate, clocks: int):
        self.dut, self.spread, self.fate, self.clocks = dut, spread, fate, clocks
        self.waiting: dict[int, list[int]] = defaultdict(list)
        self.added: dict[int, int] = defaultdict(int)
        # (source, number) of cells that have come as they were; how many have come, and how many that count as lost.
        self.whole: set[tuple[int, int]] = set()
        self.absent = self.arrived = self.lost = self.dropped = self.refused = 0

    async def listen(self) -> None:
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            if int(dut.add_valid.value):
                destination = int(dut.add_dst.value)
                self.waiting[destination].append(self.added[destination])
                self.added[destination] += 1
            self.lost += int(dut.lost_cells.value) if int(dut.event_lost.value) else 0
            self.dropped += int(dut.dropped_cells.value) if int(dut.event_dropped.value) else 0
            self.refused += int(dut.event_refused.value)

    async def carry(self) -> None:
        dut = self.dut
        while True:
            some = [destination for destination, numbers in self.waiting.items() if numbers]
            if not some:
                await RisingEdge(dut.clk)
                continue
            destination = random.choice(some)
            numbers = self.waiting[destination]
            # None is passed by more than `spread` others.
            number = random.choice([one for one in numbers[: self.spread] if one < numbers[0] + self.spread])
            numbers.remove(number)
            await self.cell(destination, number, self.fate(destination, number))

    async def cell(self, destination: int, number: int, fate: str) -> None:
        dut = self.dut
        marks = random.randint(1, 3) if fate == "marks" else 0
        dut.fetch_valid.value, dut.fetch_dst.value, dut.fetch_seq.value = 1, destination, number
        dut.arrive_seq.value, dut.lose.value = number & 0xFFFFF, int(fate == "lost")
        # Any length becomes one that there is not.
        dut.invert_marks.value, dut.invert_length.value = marks, 0xC0 if fate == "length" else 0
        self.absent += fate in ("lost", "length")
        if fate != "lost":
            self.arrived += 1
            if fate in ("", "twice"):
                self.whole.add((destination, number))
        await RisingEdge(dut.clk)
        dut.fetch_valid.value, dut.arrive_seq.value, dut.lose.value = 0, random.getrandbits(20), 1
        await ClockCycles(dut.clk, self.clocks - 1)
        if fate == "twice":
            self.arrived += 1
            dut.again.value = 1
            await RisingEdge(dut.clk)
            dut.again.value = 0
            await ClockCycles(dut.clk, self.clocks - 1)


class Bench:
    def __init__(self, dut, spread: int, fate=lambda destination, number: "", clocks: int = 24):
        self.dut = dut
        self.network = Network(dut, spread, fate, clocks)
        self.hosts, self.cells = parameters()["HOSTS"], parameters()["CELLS"]
        self.others = [n for n in range(self.hosts) if n != HOST]
        # By source: packets, with the numbers of their cells.
        self.given: dict[int, list[tuple[bytes, range]]] = defaultdict(list)
        self.got: dict[int, list[bytes]] = defaultdict(list)

    async def begin(self, slow: float = 0.1) -> None:
        dut = self.dut
        for name in ("fetch_valid", "fetch_dst", "fetch_seq", "arrive_seq", "lose", "again", "invert_marks", "invert_length"):
            getattr(dut, name).value = 0
        dut.host.value = HOST
        self.source, self.sink = source(dut), sink(dut)
        await start(dut)
        self.sink.set_pause_generator(pauses(slow))
        for one in (self.network.listen(), self.network.carry(), self.collect()):
            cocotb.start_soon(one)

    async def collect(self) -> None:
        while True:
            packet = await receive(self.sink)
            self.got[packet.user].append(packet.data)

    async def give(self, destination: int, size: int) -> None:
        packet = random.randbytes(size)
        before = self.given[destination][-1][1].stop if self.given[destination] else 0
        self.given[destination].append((packet, range(before, before + size // PAYLOAD + 1)))
        await self.source.send(AxiStreamFrame(packet, tdest=destination))

    async def settle(self) -> None:
        await self.source.wait()
        while any(self.network.waiting.values()):
            await ClockCycles(self.dut.clk, 50)
        await ClockCycles(self.dut.clk, 40 * self.cells)

    def expected(self, destination: int) -> list[bytes]:
        """Packets of which all cells have come as they were, and that a window holds."""
        whole = self.network.whole
        return [
            packet
            for packet, numbers in self.given[destination]
            if len(numbers) <= self.cells and all((destination, number) in whole for number in numbers)
        ]

    def is_balanced(self, in_windows: int) -> bool:
        """Each cell has gone on, was dropped, or is still in a window."""
        network = self.network
        sent_on = sum(len(packet) // PAYLOAD + 1 for packets in self.got.values() for packet in packets)
        return network.arrived == sent_on + network.dropped + in_windows


def size_of(cells: int) -> int:
    """Bytes of a packet: short ones, and all around multiples of a cell and of the window."""
    whole = PAYLOAD * random.randint(1, cells - 1)
    return random.choice([random.randint(1, 70), random.randint(1, whole), whole - 1, whole, max(1, whole - 8), whole + 1])


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def packets_in_any_order(dut):
    """Nothing is lost: each packet comes out as it was, in order for its source."""
    bench = Bench(dut, parameters()["REORDER"] - 1)
    await bench.begin()
    for _ in range(150 if is_quick() else 1500):
        await bench.give(random.choice(bench.others), size_of(8))
    await bench.settle()
    for destination in bench.others:
        assert bench.got[destination] == [packet for packet, _ in bench.given[destination]]
    assert bench.network.lost == bench.network.dropped == bench.network.refused == 0
    assert sum(map(len, bench.got.values())) > 100


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def packets_with_lost_cells(dut):
    """Packets come out whole or not at all, and each cell that has not come is counted, as each that has and goes on in no packet."""
    def fate(destination: int, number: int) -> str:
        kind = random.choices(("", "lost", "twice", "length"), (86, 5, 3, 6))[0]
        is_end = any(numbers.stop == number + 1 for _, numbers in bench.given[destination])
        return "" if kind == "length" and not is_end else kind

    bench = Bench(dut, 6, fate)
    await bench.begin()
    for _ in range(200 if is_quick() else 2000):
        # One in ten is too long for the window.
        longer = random.random() < 0.1
        await bench.give(random.choice(bench.others), PAYLOAD * (bench.cells + random.randint(0, 9)) if longer else size_of(7))
    await bench.settle()
    # Cells behind what is lost, until nothing but whole packets are in the windows.
    bench.network.fate = lambda destination, number: ""
    for destination in bench.others:
        for _ in range(2 * bench.cells):
            await bench.give(destination, 30)
    await bench.settle()
    dropped = 0
    for destination in bench.others:
        expected = bench.expected(destination)
        numbers = {packet: f"{len(numbers)} cells from {numbers.start}" for packet, numbers in bench.given[destination]}
        missing = [numbers[packet] for packet in expected if packet not in bench.got[destination]]
        assert bench.got[destination] == expected, f"source {destination}: not there: {missing}"
        dropped += len(bench.given[destination]) - len(bench.got[destination])
    network = bench.network
    assert dropped > 40 and bench.is_balanced(0)
    # A cell with a length that there is none of is as one that has not come.
    assert network.lost == network.absent > 20 and network.refused == 0


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def cells_with_wrong_marks(dut):
    """Beginnings and ends that are not: nothing hangs, the cells are counted, and afterwards all is well."""
    bench = Bench(dut, 4, lambda destination, number: "marks" if random.random() < 0.1 else "")
    await bench.begin()
    for _ in range(150 if is_quick() else 1500):
        await bench.give(random.choice(bench.others), size_of(5))
    await bench.settle()
    bench.network.fate = lambda destination, number: ""
    came = {}
    for destination in bench.others:
        for _ in range(2 * bench.cells):
            await bench.give(destination, 30)
    await bench.settle()
    for destination in bench.others:
        came[destination] = bench.got[destination][-bench.cells :]
        assert came[destination] == [packet for packet, _ in bench.given[destination][-bench.cells :]]
    assert bench.network.dropped > 10


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def packets_that_are_not_taken(dut):
    """While nothing is taken, windows fill, and cells that have no room are refused; what is in them is not lost."""
    bench = Bench(dut, 1)
    await bench.begin()
    bench.sink.clear_pause_generator()
    bench.sink.pause = True
    for _ in range(3 * bench.cells):
        await bench.give(0, 100)
    await bench.settle()
    refused = bench.network.refused
    assert refused > bench.cells and bench.network.dropped == refused and bench.network.lost == 0
    bench.sink.pause = False
    await ClockCycles(dut.clk, 20 * bench.cells)
    # What came first, in windows that were full of it.
    first = [packet for packet, _ in bench.given[0]][: bench.cells // 2]
    assert bench.got[0] == first
    for _ in range(2 * bench.cells):
        await bench.give(0, 30)
    await bench.settle()
    assert bench.network.lost == refused and bench.is_balanced(0)
    assert bench.got[0][-bench.cells :] == [packet for packet, _ in bench.given[0][-bench.cells :]]


def test_ww_shoal_reassemble():
    simulate("ww_shoal_packets", {"HOSTS": 6, "KEPT": 128, "CELLS": 64, "REORDER": 16})
