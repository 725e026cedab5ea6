"""ww_meter_array against RFC 2698 in exact fractions, bit for bit, while rates change."""

import random
from collections import deque
from fractions import Fraction

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from testing import parameters, simulate, start

LATENCY = 8
FRACTION = 10**12
RATE_WIDTH, TOKEN_WIDTH, TIME_WIDTH = 60, 72, 48


class Meter:
    """RFC 2698 section 3, colour-blind, in units and microseconds without any rounding."""

    def __init__(self):
        self.configured = False
        self.rates = [Fraction(0)] * 2
        self.depths = [Fraction(0)] * 2
        self.tokens = [Fraction(0)] * 2
        self.filled_at = 0

    def execute(self, units: int, now: int) -> int:
        if not self.configured:
            return 0
        elapsed = max(0, now - self.filled_at)
        self.filled_at = max(self.filled_at, now)
        for i in range(2):
            self.tokens[i] = min(self.tokens[i] + self.rates[i] * elapsed, self.depths[i])
        if self.tokens[1] < units:
            return 2
        self.tokens[1] -= units
        if self.tokens[0] < units:
            return 1
        self.tokens[0] -= units
        return 0

    def write_rates(self, row: int):
        for i in range(2):
            self.rates[i] = Fraction(row % 2**RATE_WIDTH, FRACTION)
            row >>= RATE_WIDTH
            self.depths[i] = self.tokens[i] = Fraction(row % 2**TOKEN_WIDTH, FRACTION)
            row >>= TOKEN_WIDTH
        self.configured = bool(row & 1)
        self.filled_at = 0

    def write_state(self, row: int):
        self.filled_at = row % 2**TIME_WIDTH
        row >>= TIME_WIDTH
        for i in range(2):
            self.tokens[i] = Fraction(row % 2**TOKEN_WIDTH, FRACTION)
            row >>= TOKEN_WIDTH

    def rates_row(self) -> int:
        row = int(self.configured)
        for i in (1, 0):
            row = row << TOKEN_WIDTH | int(self.depths[i] * FRACTION)
            row = row << RATE_WIDTH | int(self.rates[i] * FRACTION)
        return row

    def state_row(self) -> int:
        row = 0
        for i in (1, 0):
            row = row << TOKEN_WIDTH | int(self.tokens[i] * FRACTION)
        return row << TIME_WIDTH | self.filled_at


def rates_row(configured: int, committed: tuple[int, int], peak: tuple[int, int]) -> int:
    """(rate in 10^-12 units a microsecond, depth in units) of both buckets as a row."""
    row = configured
    for rate, depth in (peak, committed):
        row = row << TOKEN_WIDTH | depth * FRACTION
        row = row << RATE_WIDTH | rate
    return row


def random_rates() -> int:
    def bucket():
        rate = random.choice(
            [0, 1, 10**11, FRACTION, random.randrange(2 * FRACTION), 2**RATE_WIDTH - 1, random.getrandbits(RATE_WIDTH)]
        )
        depth = random.choice([0, 2, random.randrange(5000), random.randrange(10**5), random.randrange(10**6), 2**TOKEN_WIDTH // FRACTION])
        return rate, depth

    return rates_row(int(random.random() < 0.9), bucket(), bucket())


async def write_row(dut, memory: int, index: int, row: int):
    dut.row_valid.value, dut.row_write.value = 1, 1
    dut.row_memory.value, dut.row_index.value, dut.row_wdata.value = memory, index, row
    while True:
        await Timer(1, "ns")
        done = bool(dut.row_done.value)
        await RisingEdge(dut.clk)
        if done:
            break
    dut.row_valid.value = 0


async def colours_of(dut, packets: list[tuple[int, int, int]]) -> list[int]:
    """The colours of packets (index, units, time) in successive clocks."""
    colours = []
    for clock in range(len(packets) + LATENCY):
        dut.execute_valid.value = int(clock < len(packets))
        if clock < len(packets):
            dut.execute_index.value, dut.execute_units.value, dut.execute_time.value = packets[clock]
        await Timer(1, "ns")
        if clock >= LATENCY:
            colours.append(int(dut.colour.value))
        await RisingEdge(dut.clk)
    return colours


@cocotb.test(timeout_time=100, timeout_unit="us")
async def worked_examples(dut):
    """By hand from RFC 2698, and the two examples of the software switch's own tests."""
    green, yellow, red = 0, 1, 2
    dut.execute_valid.value = dut.row_valid.value = 0
    await start(dut)
    assert await colours_of(dut, [(0, 65535, 5)] * 3) == [green] * 3
    await write_row(dut, 0, 0, rates_row(1, (10**11, 1), (10**11, 2)))
    times = [0, 0, 0, 5, 10, 20, 20]
    expected = [green, yellow, red, red, green, green, red]
    assert await colours_of(dut, [(0, 1, time) for time in times]) == expected
    await write_row(dut, 0, 0, rates_row(1, (0, 10), (0, 16)))
    units = [17, 6, 5, 4, 2, 1, 1]
    expected = [red, green, yellow, green, red, yellow, red]
    assert await colours_of(dut, [(0, n, 0) for n in units]) == expected
    await write_row(dut, 0, 0, 0)
    assert await colours_of(dut, [(0, 65535, 5)]) == [green]


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def follows_the_model(dut):
    depth = parameters()["DEPTH"]
    span = 1 << (depth - 1).bit_length()
    # The RAMs keep what the test before has left.
    meters = [Meter() for _ in range(depth)]
    dut.execute_valid.value = dut.row_valid.value = 0
    await start(dut)
    for index in range(depth):
        row = random_rates()
        await write_row(dut, 0, index, row)
        meters[index].write_rates(row)
    now = 0
    # What is in the pipeline, oldest first: a packet's (index, units, time), or None.
    pipeline = deque([None] * LATENCY)
    access = None
    seen = {0: 0, 1: 0, 2: 0}
    rows = 0
    for clock in range(12000):
        now += random.choice([0, 0, 0, 1, 1, random.randrange(30), random.randrange(2000), random.randrange(10**9) if random.random() < 0.02 else 0])
        packet = None
        if random.random() < (0.98 if clock < 8000 else 0.6):
            index = random.choice([0, 0, min(1, span - 1), random.randrange(span)])
            time = max(0, now - random.randrange(50)) if random.random() < 0.05 else now
            packet = (index, random.choice([1, 1, random.randint(60, 1518), 65535]), time)
            dut.execute_index.value, dut.execute_units.value, dut.execute_time.value = packet
        dut.execute_valid.value = int(packet is not None)
        if access is None and random.random() < 0.2:
            memory, index = random.choice([0, 1, 1, 1, 7]), random.randrange(depth + 2)
            row = random_rates()
            if memory == 1:
                target = meters[index % depth]
                tokens = [random.randint(0, int(d * FRACTION)) for d in target.depths]
                row = (tokens[1] << TOKEN_WIDTH | tokens[0]) << TIME_WIDTH | now
            write = random.random() < (0.5 if memory != 1 else 0.1)
            access = (write, memory, index, row)
            dut.row_valid.value, dut.row_write.value = 1, int(write)
            dut.row_memory.value, dut.row_index.value, dut.row_wdata.value = memory, index, row
        await Timer(1, "ns")
        # The packet that came eight clocks ago.
        oldest = pipeline.popleft()
        if oldest is not None:
            index, units, time = oldest
            expected = meters[index].execute(units, time) if index < depth else 0
            assert int(dut.colour.value) == expected
            if index < depth and meters[index].configured:
                seen[expected] += 1
        # A row access of seven clocks ago lies between the packet above and the next one.
        finished = bool(dut.row_done.value)
        if finished:
            assert pipeline[0] is None
            write, memory, index, row = access
            exists = memory < 2 and index < depth
            if write and exists:
                (meters[index].write_rates if memory == 0 else meters[index].write_state)(row)
            elif not write:
                got = int(dut.row_rdata.value)
                meter = meters[index] if exists else None
                assert got == (0 if not exists else meter.rates_row() if memory == 0 else meter.state_row())
            rows += 1
        pipeline.append(packet)
        await RisingEdge(dut.clk)
        if finished:
            access = None
            dut.row_valid.value = 0
    assert min(seen.values()) > 50 and rows > 50, (seen, rows)


@pytest.mark.parametrize("depth", [3, 16])
def test_meter_array(depth):
    simulate("ww_meter_array", {"DEPTH": depth})


@pytest.mark.parametrize("parameter", [{"DEPTH": 0}, {"TOKEN_WIDTH": 40}, {"TIME_WIDTH": 49}, {"RATE_WIDTH": 0}])
def test_illegal_parameters_do_not_build(parameter):
    with pytest.raises(RuntimeError, match="ww_meter_array: .* must be"):
        simulate("ww_meter_array", parameter)
