"""ww_shoal_switch against a schedule of rows and words that are late by five clocks.

spec: 004-pieo-shoal 2.8, 2.12, 2.15; checks 19, 21, 22
"""

import random

import cocotb
import pytest
from circuit import (
    LATENCY,
    PERIOD_PS,
    TO_MULTIPLEXER,
    Bench,
    Slots,
    cell,
    idle,
    is_quiet,
    lanes,
    other_clock,
    packed,
    random_word,
    width,
)
from cocotb.triggers import RisingEdge, Timer
from cocotb.utils import get_sim_time

from testing import is_quick, parameters, simulate

# Switch 1 of Figure 3.5 in the slots 1 to 7: which input each of the outputs a, b, c, d has. Hosts are on a and b, spines on c and d.
FIGURE_3_5 = {"a": "dcdcdcd", "b": "cdcdcdc", "c": "abababa", "d": "bababab"}
PHY_CLOCKS = 45


def figure_3_5() -> list[list[int]]:
    return [["abcd".index(FIGURE_3_5[output][slot]) for output in "abcd"] for slot in range(7)]


def random_schedule(rows: int) -> list[list[int | None]]:
    """Permutations with gaps, rows with an input at several outputs, and inputs that do not exist."""
    ports = parameters()["PORTS"]
    numbers = range(1 << (ports - 1).bit_length())
    schedule = []
    for _ in range(rows):
        row: list[int | None] = random.sample(range(ports), ports)
        if random.random() < 0.3:
            row = [random.choice(numbers) for _ in row]
        schedule.append([None if random.random() < 0.15 else given for given in row])
    return schedule


def check(bench: Bench, slots: Slots, since: int) -> None:
    """Every output in every clock, in front of the PHYs and behind them, and every configuration."""
    for clock in range(since, len(bench.sent)):
        assert bench.sent[clock] == slots.output(bench.given, clock), f"clock {clock}"
        assert bench.configurations[clock] == packed(slots.schedule[slots.row(clock)]), f"clock {clock}"
        if clock >= since + PHY_CLOCKS:
            assert bench.far[clock] == bench.sent[clock - PHY_CLOCKS], f"clock {clock}"


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def latency_is_5_clocks_and_50_with_the_phy(dut):
    """From the clock in which a word is at an input to the one in which it is at an output; 320 ns at 156.25 MHz."""
    bench = Bench(dut)
    await bench.begin()
    ports = bench.ports
    for shift in range(ports):
        await bench.load([[(n + shift) % ports for n in range(ports)]])
        await bench.idle(80)
        marks = [(random.getrandbits(width()), 0) for _ in range(ports)]
        bench.give(marks)
        given = await bench.edge()
        await bench.idle(60)
        for side, latency in ((bench.sent, 5), (bench.far, 50)):
            seen = {clock - given for clock in range(given, len(side)) if side[clock] != [idle()] * ports}
            assert seen == {latency}
            assert side[given + latency] == [marks[(n + shift) % ports] for n in range(ports)]
    before = get_sim_time("ps")
    await bench.idle(LATENCY + PHY_CLOCKS)
    assert get_sim_time("ps") - before == 320_000


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def schedules_are_followed_word_by_word(dut):
    """Figure 3.5 where it fits, and random schedules; the same words as in the model in each clock, all registers loaded in one."""
    cases = [(random_schedule(random.randint(1, 16)), random.randint(2, 20)) for _ in range(4 if is_quick() else 40)]
    if parameters()["PORTS"] == 4:
        cases.append((figure_3_5(), 12))
    bench = Bench(dut)
    for number, (schedule, cycles) in enumerate(cases):
        # Slots as in the prototype, and guard bands of zero clocks to all but one.
        guard = 1 if schedule == figure_3_5() else random.randint(0, cycles - 1)
        bench = Bench(dut) if number == 0 else bench
        if number == 0:
            await bench.begin()
        dut.rst.value = 1
        await bench.idle(2)
        dut.rst.value = 0
        dut.slot_cycles.value, dut.guard_cycles.value, dut.rows.value = cycles, guard, len(schedule)
        await bench.load(schedule)
        # A row that was read just now is loaded within two slots.
        await bench.idle(2 * cycles + LATENCY + 20)
        bench.given, bench.sent, bench.far, bench.configurations = [], [], [], []
        slots = Slots(schedule, cycles, guard)
        for _ in range(random.randint(LATENCY, 40)):
            bench.give([random_word() for _ in range(bench.ports)])
            await bench.edge()
        await bench.start(slots)
        events = [0] * bench.ports
        for _ in range(3 * cycles * len(schedule) + random.randint(0, 30)):
            bench.give([random_word() for _ in range(bench.ports)])
            await bench.edge()
            events = [count + (int(dut.event_cut.value) >> n & 1) for n, count in enumerate(events)]
        check(bench, slots, LATENCY)
        # What is lost in the last clock but one is told in the last one.
        bench.given = bench.given[:-1]
        cuts = slots.cuts(bench.given)
        assert events == cuts, f"cut {events}, by the model {cuts}"
        counted, slipped = await bench.counts()
        assert all(count >= cut for count, cut in zip(counted, cuts))
        assert slipped == [0] * bench.ports


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_slot_ends_one_configuration_and_begins_the_next(dut):
    """All multiplexers change with one edge, at the first clock of a slot, and words differ from the clock behind on."""
    bench = Bench(dut)
    ports = bench.ports
    there, back = [(n + 1) % ports for n in range(ports)], list(range(ports))
    cycles = 12
    await bench.begin(cycles, 0, 2)
    await bench.load([there, back])
    await bench.idle(40)
    slots = Slots([there, back], cycles, 0)
    begin = await bench.start(slots)
    for clock in range(begin, begin + 10 * cycles):
        bench.give([(clock << 8 | n, 0) for n in range(ports)])
        await bench.edge()
    changes = [c for c in range(begin, len(bench.given)) if bench.configurations[c] != bench.configurations[c - 1]]
    assert changes == [begin + n * cycles for n in range(1, 10)]
    assert set(bench.configurations[begin:]) == {packed(there), packed(back)}
    for clock in range(begin + LATENCY, len(bench.given)):
        row = back if (clock - 1 - begin) // cycles % 2 else there
        assert bench.sent[clock] == [((clock - LATENCY) << 8 | given, 0) for given in row]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def before_start_the_switch_holds_the_first_row(dut):
    """Without guard bands and without cuts; a start that comes later does nothing; reset ends the slots."""
    bench = Bench(dut)
    ports = bench.ports
    first, second = [(n + 1) % ports for n in range(ports)], list(range(ports))
    await bench.begin(8, 2, 2)
    await bench.load([first, second])
    await bench.idle(40)
    slots = Slots([first, second], 8, 2)

    async def frames(clocks):
        for _ in range(clocks):
            bench.give([(random.getrandbits(width()), 0) for _ in range(ports)])
            await bench.edge()

    held = len(bench.given)
    await frames(100)
    check(bench, slots, held)
    assert int(dut.running.value) == 0
    assert (await bench.counts())[0] == [0] * ports
    # Another first row is held within two slots.
    dut.first_row.value = 1
    await frames(16)
    held = len(bench.given)
    await frames(30)
    check(bench, Slots([second], 8, 0), held + LATENCY)
    dut.first_row.value = 0
    await frames(16 + LATENCY)

    held = len(bench.given)
    await bench.start(slots)
    await frames(37)
    dut.start.value = 1
    await frames(3)
    dut.start.value = 0
    await frames(40)
    check(bench, slots, held + LATENCY)
    assert int(dut.running.value) == 1

    dut.rst.value = 1
    await frames(2)
    dut.rst.value = 0
    await frames(30)
    slots.begin = None
    held = len(bench.given)
    await frames(40)
    check(bench, slots, held + LATENCY)
    assert int(dut.running.value) == 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def another_schedule_holds_from_an_epoch_on(dut):
    """Rows of another part of the memory, as behind a failure, replace those in use when the last of them has had its slot."""
    bench = Bench(dut)
    ports, cycles = bench.ports, 6
    one, other = random_schedule(5), random_schedule(3)
    await bench.begin(cycles, 1, len(one))
    await bench.load(one)
    await bench.load(other, first=9)
    await bench.idle(30)
    begin = await bench.start(Slots(one, cycles, 1))
    turn = random.randrange(1, len(one) * cycles - 2)
    seen = []
    for clock in range(begin, begin + 4 * len(one) * cycles):
        if clock == begin + len(one) * cycles + turn:
            dut.first_row.value, dut.rows.value = 9, len(other)
        await bench.edge()
        seen.append((int(dut.slot.value), bench.configurations[-1]))
    rows = [n for n in [*range(5), *range(5)]] + [9, 10, 11] * 20
    schedule = {**dict(enumerate(one)), **dict(enumerate(other, 9))}
    expected = [(row, packed(schedule[row])) for row in rows for _ in range(cycles)]
    assert seen == expected[: len(seen)], f"changed {turn} clocks into an epoch"


async def one_cell(bench: Bench, slots: Slots, port: int, into: int, shift: int) -> list[tuple[int, int]]:
    """Gives a cell whose first word is at the multiplexers `shift` clocks behind the guard band of a slot that is still to come,
    and waits for the end of the slot behind it. Gives the cell."""
    sent = cell()
    now = len(bench.given)
    number = (now + TO_MULTIPLEXER - slots.begin) // slots.cycles + 2
    number += (into - number) % len(slots.schedule)
    first = slots.begin + number * slots.cycles + slots.guard + shift - TO_MULTIPLEXER
    for clock in range(now, first + 3 * slots.cycles):
        words = [idle()] * bench.ports
        if 0 <= clock - first < len(sent):
            words[port] = sent[clock - first]
        bench.give(words)
        await bench.edge()
    return sent


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cells_inside_their_slots_are_never_cut(dut):
    """A cell of 64 bytes in a slot of 12 clocks (24 at half the width), at all offsets to the guard band: whole if it keeps out of it,
    cut and counted once if not."""
    bench = Bench(dut)
    ports, scale = bench.ports, 64 // width()
    cycles = 12 * scale
    # The guard band of the prototype, and one with time for clock recovery in it.
    for guard in (1, scale, 2) if scale == 1 else (scale,):
        schedule = [[(n + 1) % ports for n in range(ports)], [(n + 2) % ports for n in range(ports)]]
        dut.rst.value = 1
        if not bench.given:
            await bench.begin()
        dut.slot_cycles.value, dut.guard_cycles.value, dut.rows.value = cycles, guard, 2
        dut.rst.value = 1
        await bench.idle(2)
        dut.rst.value = 0
        await bench.load(schedule)
        await bench.idle(2 * cycles + 20)
        slots = Slots(schedule, cycles, guard)
        await bench.start(slots)
        # Words of a cell, and those that the slot has beside it: the budget of 12 clocks is 1 of guard, 3 of preamble, check
        # sequence and gap, and 8 of 64 bytes.
        length = len(cell())
        assert length * lanes() in range(8 + 64 + 4 + 1, 8 + 64 + 4 + 12 + 1)
        room = cycles - guard - length
        total = 0
        for shift in range(-4, room + 5):
            port, into = random.randrange(ports), random.randrange(2)
            since = len(bench.given)
            sent = await one_cell(bench, slots, port, into, shift)
            output = schedule[into].index(port)
            got = [words[output] for words in bench.sent[since:] if not is_quiet(words[output])]
            cut = (await bench.counts())[0][port]
            if 0 <= shift <= room:
                assert got == sent, f"guard {guard}, shift {shift}: the cell is inside its slot"
                # Nothing of it is anywhere else.
                others = [words[n] for words in bench.sent[since:] for n in range(ports) if n != output]
                assert all(map(is_quiet, others))
                assert cut == 0, f"guard {guard}, shift {shift}"
            else:
                assert got != sent and len(got) < len(sent), f"guard {guard}, shift {shift}"
                assert cut == 1, f"guard {guard}, shift {shift}: counted {cut} times"
                await bench.rows.write(1, port, 0)
                total += 1
            # A row access takes clocks that the bench has not seen.
            slots.begin = await resynchronised(bench, slots)
        assert total == 8


async def resynchronised(bench: Bench, slots: Slots) -> int:
    """The clock of the bench in which the schedule's first row begins."""
    last = int(bench.dut.slot.value)
    for _ in range(2 * slots.cycles * len(slots.schedule)):
        clock = await bench.edge()
        now = int(bench.dut.slot.value)
        if (last, now) == (len(slots.schedule) - 1, 0):
            return clock
        last = now
    raise AssertionError("no epoch ends")


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def any_phase_of_a_receive_clock_will_do(dut):
    """Words of a clock of the same frequency arrive all and in order, 4 to 5 clocks later, whatever the phase; and a link that comes up
    late has the latency of the others."""
    bench = Bench(dut)
    ports = bench.ports
    await bench.begin()
    await bench.load([[(n + 1) % ports for n in range(ports)]])
    dut.other.value = 1
    for phase in [100, 3100, 6300] if is_quick() else range(100, 6400, 300):
        dut.rx_rst.value = 1
        await Timer(10 * PERIOD_PS, "ps")
        clock = await other_clock(dut, PERIOD_PS, phase)
        await RisingEdge(dut.other_clk)
        # Idle until there is a clock.
        await RisingEdge(dut.clk)
        assert int(dut.locked.value) & 1 == 0
        dut.rx_rst.value = 0
        # Its clock was another one, or none: a slip.
        await bench.rows.write(1, ports, 0)
        times: dict[tuple[int, int], float] = {}
        arrived: list[tuple[tuple[int, int], float]] = []

        async def give():
            for _ in range(60):
                await RisingEdge(dut.other_clk)
                word = (random.getrandbits(width()), 0)
                words = [idle()] * ports
                words[0] = word
                bench.give(words)
                # It is taken by the next edge.
                times[word] = get_sim_time("ps") + PERIOD_PS
            await RisingEdge(dut.other_clk)
            bench.give([idle()] * ports)

        giving = cocotb.start_soon(give())
        for _ in range(80):
            await RisingEdge(dut.clk)
            data = int(dut.tx_data.value) >> (ports - 1) * width() & ((1 << width()) - 1)
            control = int(dut.tx_control.value) >> (ports - 1) * lanes()
            if (data, control) != idle():
                arrived.append(((data, control), get_sim_time("ps")))
        await giving
        # The first ones come before the FIFO is locked.
        words = list(times)
        assert len(arrived) >= 50
        assert [word for word, _ in arrived] == words[-len(arrived) :]
        waits = {time - times[word] for word, time in arrived}
        assert len(waits) == 1
        # The edges do not coincide: the phase of the transmit clock behind the receive clock is what is missing to 5 clocks.
        assert waits == {(LATENCY - 1) * PERIOD_PS + (PERIOD_PS - phase)}
        assert (await bench.counts())[1] == [0] * ports
        clock.stop()
        dut.other_clk.value = 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def clocks_that_drift_slip_and_are_counted(dut):
    """2,000 ppm: a slip for each two words that the clocks have drifted apart, from one word to three or to minus one. The ports
    beside it lose nothing. Without a clock, idle."""
    bench = Bench(dut)
    ports = bench.ports
    await bench.begin()
    await bench.load([[(n + 1) % ports for n in range(ports)]])
    for period in (PERIOD_PS - 12, PERIOD_PS + 12):
        dut.other.value, dut.rx_rst.value = 1, 1
        clock = await other_clock(dut, period, 1000)
        await Timer(6 * PERIOD_PS, "ps")
        dut.rx_rst.value = 0
        await bench.idle(20)
        await bench.rows.write(1, ports, 0)
        clocks, events = 5_000, 0
        bench.given, bench.sent, bench.far, bench.configurations = [], [], [], []
        for _ in range(clocks):
            words = [(random.getrandbits(width()), 0) for _ in range(ports)]
            bench.give(words)
            await bench.edge()
            events += int(dut.event_slipped.value)
        slips = clocks * 12 / PERIOD_PS / 2
        assert slips - 1.5 <= events <= slips + 1.5, f"{events} slips, {slips:.1f} by the drift"
        assert (await bench.counts())[1] == [events] + [0] * (ports - 1)
        await bench.rows.write(1, ports, 0)
        for clock_number in range(LATENCY, clocks):
            for n in range(ports - 1):
                assert bench.sent[clock_number][n] == bench.given[clock_number - LATENCY][n + 1]
        # The clock stops: the words that are underway, at most one old word, and then idles.
        clock.stop()
        stopped = len(bench.sent)
        await bench.idle(50)
        sent = [words[ports - 1] for words in bench.sent]
        old = [n for n in range(stopped, len(sent)) if sent[n] != idle() and sent[n] in sent[n - 12 : n - 5]]
        assert len(old) <= 1, old
        assert set(sent[stopped + 8 :]) == {idle()}
        assert int(dut.locked.value) & 1 == 0
        dut.other_clk.value = 0
        await Timer(PERIOD_PS, "ps")


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def rows_that_do_not_exist_read_as_zero(dut):
    bench = Bench(dut)
    await bench.begin()
    rows, ports = parameters()["ROWS"], bench.ports
    await bench.load(random_schedule(rows))
    for memory, index in ((0, rows), (0, 1 << 27), (1, 2 * ports), (2, 0), (15, 0)):
        await bench.rows.write(memory, index, (1 << ports) - 1)
        assert await bench.rows.read(memory, index) == 0
    kept = [await bench.rows.read(0, n) for n in range(rows)]
    assert any(kept) and all(value >> ports * (1 + (ports - 1).bit_length()) == 0 for value in kept)


# The prototype's switch; others have twice the words, or ports that are no power of two.
@pytest.mark.parametrize("width,ports", [(64, 4), (32, 8), (64, 6), (64, 2)])
@pytest.mark.quick("64-4", "32-8")
def test_ww_shoal_switch(width, ports):
    simulate("ww_shoal_switch_ports", {"WIDTH": width, "PORTS": ports, "ROWS": 16, "PHY_CLOCKS": PHY_CLOCKS})
