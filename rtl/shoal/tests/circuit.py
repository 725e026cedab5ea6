"""What the tests of the circuit switch share: XGMII words, and the switch as a sentence: word in, word out five clocks later.

Clocks are numbered by the edge that ends them, from 0 on. A word is a pair (data, control), a schedule a list of rows, a row a
list with the input of each output, or None.
"""

import random
import zlib

from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer

from testing import parameters
from testing.rows import RowPort

# 156.25 MHz.
PERIOD_PS = 6400
# Clocks from a word at an input to the word at an output, beside the PHY, and those of them in front of the multiplexer.
LATENCY = 5
TO_MULTIPLEXER = 4
IDLE, START, TERMINATE, SEQUENCE = 0x07, 0xFB, 0xFD, 0x9C


def width() -> int:
    return parameters()["WIDTH"]


def lanes() -> int:
    return width() // 8


def idle() -> tuple[int, int]:
    return int.from_bytes(bytes([IDLE] * lanes()), "little"), (1 << lanes()) - 1


def is_quiet(word: tuple[int, int]) -> bool:
    """Whether a word has no part of a frame: each column is idle or an ordered set."""
    data, control = word
    columns = [(data >> 8 * n & 0xFFFFFFFF, control >> n & 0xF) for n in range(0, lanes(), 4)]
    return all(column == (0x07070707, 0xF) or (column[0] & 0xFF == SEQUENCE and column[1] == 1) for column in columns)


def cell(size: int = 64) -> list[tuple[int, int]]:
    """A cell as the MAC sends it: start and preamble, `size` random bytes, check sequence, terminate, idles to the end of a word."""
    payload = random.randbytes(size)
    sent = bytes([START] + [0x55] * 6 + [0xD5]) + payload + zlib.crc32(payload).to_bytes(4, "little") + bytes([TERMINATE])
    sent += bytes([IDLE] * (-len(sent) % lanes()))
    control = [position == 0 or position >= 8 + size + 4 for position in range(len(sent))]
    return [
        (
            int.from_bytes(sent[at : at + lanes()], "little"),
            sum(bit << n for n, bit in enumerate(control[at : at + lanes()])),
        )
        for at in range(0, len(sent), lanes())
    ]


def random_word() -> tuple[int, int]:
    """Idles, ordered sets, words that are nearly such, data, anything."""
    data, control = idle()
    kind = random.randrange(8)
    if kind < 3:
        return data, control
    if kind == 3:
        fault = 0x0100009C if width() == 32 else random.choice([0x0100009C_0100009C, 0x07070707_0100009C])
        return fault, 0x1 if width() == 32 else 0x11 if fault >> 56 else 0xF1
    if kind == 4:
        return data ^ 1 << random.randrange(width()), control
    if kind == 5:
        return data, control ^ 1 << random.randrange(lanes())
    return random.getrandbits(width()), random.choice([0, random.getrandbits(lanes())])


def choice_bits() -> int:
    return 1 + (parameters()["PORTS"] - 1).bit_length()


def packed(row: list[int | None]) -> int:
    """A row as the schedule memory has it."""
    bits = choice_bits()
    return sum((1 << bits - 1 | given) << bits * n for n, given in enumerate(row) if given is not None)


def pack(values: list[int], bits: int) -> int:
    return sum(value << bits * n for n, value in enumerate(values))


def unpack(value: int, bits: int) -> list[int]:
    return [value >> bits * n & ((1 << bits) - 1) for n in range(parameters()["PORTS"])]


class Slots:
    """When which row holds: `begin` is the clock in which slot 0 begins, None as long as the switch holds the first row."""

    def __init__(self, schedule: list[list[int | None]], cycles: int, guard: int):
        self.schedule, self.cycles, self.guard, self.begin = schedule, cycles, guard, None

    def row(self, clock: int) -> int:
        return 0 if self.begin is None or clock < self.begin else (clock - self.begin) // self.cycles % len(self.schedule)

    def in_guard(self, clock: int) -> bool:
        return self.begin is not None and clock >= self.begin and (clock - self.begin) % self.cycles < self.guard

    def output(self, words: list[list[tuple[int, int]]], clock: int) -> list[tuple[int, int]]:
        """The words at the outputs in a clock; `words` are those at the inputs in each clock."""
        row = self.schedule[self.row(clock - 1)]
        nothing = self.in_guard(clock - 1) or clock < LATENCY
        return [
            idle() if nothing or given is None or given >= len(row) else words[clock - LATENCY][given] for given in row
        ]

    def cuts(self, words: list[list[tuple[int, int]]]) -> list[int]:
        """For each input the guard bands in which a word of a frame was at the multiplexers."""
        lost = [set() for _ in words[0]]
        for clock, given in enumerate(words, TO_MULTIPLEXER):
            if self.in_guard(clock) and clock < len(words):
                for port, word in enumerate(given):
                    if not is_quiet(word):
                        lost[port].add((clock - self.begin) // self.cycles)
        return [len(bands) for bands in lost]


class Bench:
    """Clocks of the switch: gives words, keeps what is at the inputs and outputs in each clock."""

    def __init__(self, dut):
        self.dut = dut
        self.ports = parameters()["PORTS"]
        self.rows = RowPort(dut)
        self.given: list[list[tuple[int, int]]] = []
        self.sent: list[list[tuple[int, int]]] = []
        self.far: list[list[tuple[int, int]]] = []
        self.configurations: list[int] = []
        self._now = [idle()] * self.ports

    async def begin(self, cycles: int = 12, guard: int = 1, rows: int = 1) -> None:
        """Starts the clock, sets what software sets, resets. Clock 0 is the one behind."""
        dut = self.dut
        dut.rst.value, dut.rx_rst.value = 1, (1 << self.ports) - 1
        dut.start.value = 0
        dut.slot_cycles.value, dut.guard_cycles.value, dut.first_row.value, dut.rows.value = cycles, guard, 0, rows
        dut.other.value, dut.other_clk.value = 0, 0
        self.give([idle()] * self.ports)
        Clock(dut.clk, PERIOD_PS, unit="ps").start()
        for _ in range(4):
            await RisingEdge(dut.clk)
        dut.rst.value, dut.rx_rst.value = 0, 0

    async def load(self, schedule: list[list[int | None]], first: int = 0) -> None:
        for n, row in enumerate(schedule, first):
            await self.rows.write(0, n, packed(row))
            assert await self.rows.read(0, n) == packed(row)

    def give(self, words: list[tuple[int, int]]) -> None:
        """The words at the inputs from this edge on."""
        self._now = words
        self.dut.rx_data.value = pack([data for data, _ in words], width())
        self.dut.rx_control.value = pack([control for _, control in words], lanes())

    def _read(self, side: str) -> list[tuple[int, int]]:
        data = unpack(int(getattr(self.dut, f"{side}_data").value), width())
        control = unpack(int(getattr(self.dut, f"{side}_control").value), lanes())
        return list(zip(data, control))

    async def edge(self) -> int:
        """The next edge; gives the number of the clock that it ends."""
        await RisingEdge(self.dut.clk)
        self.given.append(self._now)
        self.sent.append(self._read("tx"))
        self.far.append(self._read("far"))
        self.configurations.append(int(self.dut.configuration.value))
        return len(self.given) - 1

    async def idle(self, clocks: int) -> None:
        self.give([idle()] * self.ports)
        for _ in range(clocks):
            await self.edge()

    async def start(self, slots: Slots) -> int:
        """Starts the slots; gives the clock in which slot 0 begins at the multiplexers, in which the next `give` is seen at the inputs."""
        self.dut.start.value = 1
        clock = await self.edge()
        self.dut.start.value = 0
        slots.begin = clock + 1
        return slots.begin

    async def counts(self) -> tuple[list[int], list[int]]:
        """Cells cut and slips, of each input."""
        counts = [await self.rows.read(1, n) for n in range(2 * self.ports)]
        return counts[: self.ports], counts[self.ports :]


async def other_clock(dut, period: int, phase: int) -> Clock:
    """Starts the other clock, some picoseconds behind an edge of `clk`."""
    await RisingEdge(dut.clk)
    await Timer(phase, "ps")
    clock = Clock(dut.other_clk, period, unit="ps")
    clock.start()
    return clock
