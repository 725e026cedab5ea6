"""ww_shoal_tx and ww_shoal_rx against frames written byte by byte, with zlib's CRC; the slot clock; and what makes and checks payloads.

spec: 004-pieo-shoal 2.11, 2.14, 2.15; check 22
"""

import random
import zlib

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge

from testing import is_quick, simulate

PERIOD_PS = 6400
IDLE = (0x0707070707070707, 0xFF)
PREAMBLE = (int.from_bytes(bytes([0xFB] + [0x55] * 6 + [0xD5]), "little"), 0x01)
INPUTS = """tx_valid tx_first tx_data start source fetch_valid fetch_dst fetch_seq host received_valid received_src received_seq
received_sop received_eop out_valid out_first out_data""".split()
WORDS = 7


def random_cell() -> list[int]:
    return [random.getrandbits(64) for _ in range(8)]


def frame(words: list[int]) -> list[tuple[int, int]]:
    """The ten words of a cell's frame on XGMII."""
    data = b"".join(word.to_bytes(8, "little") for word in words)
    tail = zlib.crc32(data).to_bytes(4, "little") + bytes([0xFD, 0x07, 0x07, 0x07])
    return [PREAMBLE, *((word, 0) for word in words), (int.from_bytes(tail, "little"), 0xF0)]


async def begin(dut) -> None:
    for name in INPUTS:
        getattr(dut, name).value = 0
    dut.rst.value = 1
    dut.rx_xgmii_data.value, dut.rx_xgmii_control.value = IDLE
    Clock(dut.clk, PERIOD_PS, unit="ps").start()
    for _ in range(3):
        await RisingEdge(dut.clk)
    dut.rst.value = 0
    await RisingEdge(dut.clk)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_cell_becomes_a_frame_4_clocks_later(dut):
    """Any two cells 10 clocks apart or more; between frames there are idles."""
    await begin(dut)
    given: list[int | None] = []
    expected: list[tuple[int, int]] = [IDLE] * 3
    for number in range(40 if is_quick() else 400):
        words, gap = random_cell(), random.choice([2, 4, random.randint(2, 20)])
        given += [*words, *[None] * gap]
        expected += [*frame(words), *[IDLE] * (gap - 2)]
    sent = []
    for clock, word in enumerate(given + [None] * 8):
        dut.tx_valid.value = word is not None
        dut.tx_first.value = word is not None and (clock == 0 or given[clock - 1] is None)
        dut.tx_data.value = random.getrandbits(64) if word is None else word
        await RisingEdge(dut.clk)
        sent.append((int(dut.tx_xgmii_data.value), int(dut.tx_xgmii_control.value)))
    assert sent[: len(expected)] == expected
    assert set(sent[len(expected) :]) <= {IDLE}


async def listen(dut, line: list[tuple[int, int]]) -> tuple[list[tuple], list[int]]:
    """Gives words to the receiver; what comes out of it in each clock, and the clocks of bad frames."""
    cells, bad = [], []
    for clock, (data, control) in enumerate(line + [IDLE] * 20):
        dut.rx_xgmii_data.value, dut.rx_xgmii_control.value = data, control
        await RisingEdge(dut.clk)
        if int(dut.rx_valid.value):
            cells.append((clock, int(dut.rx_first.value), int(dut.rx_data.value), int(dut.rx_good.value)))
        else:
            assert not int(dut.rx_first.value) and not int(dut.rx_good.value)
        if int(dut.rx_bad.value):
            bad.append(clock)
    return cells, bad


def expected_cell(start: int, words: list[int], good: bool) -> list[tuple]:
    """The words of a cell whose preamble is at clock `start`: the first one 6 clocks behind its place on the line."""
    return [(start + 7 + n, int(n == 0), word, int(good and n == 7)) for n, word in enumerate(words)]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_frame_becomes_a_cell_6_clocks_later(dut):
    """Frames as near to each other as they can be, ordered sets between them."""
    await begin(dut)
    line: list[tuple[int, int]] = []
    expected = []
    for _ in range(40 if is_quick() else 400):
        words = random_cell()
        expected += expected_cell(len(line), words, True)
        line += frame(words) + [random.choice([IDLE, (0x070707070100009C, 0xF1)])] * random.randint(0, 4)
    assert await listen(dut, line) == (expected, [])


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def a_damaged_frame_is_eight_words_that_are_not_good(dut):
    """One bit of data or control anywhere behind the preamble, words lost at the end or in the middle, no terminate."""
    await begin(dut)
    line: list[tuple[int, int]] = []
    expected, bad = [], []
    for number in range(100 if is_quick() else 2000):
        words, kind = random_cell(), random.randrange(4)
        sent = frame(words)
        if kind == 0:
            place = random.randint(1, 9)
            # Behind the terminate a bit is not looked at.
            bit = random.randrange(64 if place < 9 else 40)
            sent[place] = (sent[place][0] ^ 1 << bit, sent[place][1])
        elif kind == 1:
            place = random.randint(1, 9)
            sent[place] = (sent[place][0], sent[place][1] ^ 1 << random.randrange(8))
        elif kind == 2:
            first = random.randint(1, 9)
            for place in range(first, random.randint(first, 9) + 1):
                sent[place] = IDLE
        good = kind == 3
        expected += expected_cell(len(line), [data for data, _ in sent[1:9]], good)
        bad += [] if good else [len(line) + 14]
        line += sent + [IDLE] * random.randint(0, 3)
    assert await listen(dut, line) == (expected, bad)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def without_its_preamble_there_is_no_frame(dut):
    """Each bit of the preamble, and none of it; the next frame comes whole."""
    await begin(dut)
    line: list[tuple[int, int]] = []
    expected = []
    for bit in range(73):
        sent = frame(random_cell())
        data, control = sent[0]
        sent[0] = (data ^ 1 << bit, control) if bit < 64 else (data, control ^ 1 << bit - 64) if bit < 72 else IDLE
        line += sent
        words = random_cell()
        expected += expected_cell(len(line), words, True)
        line += frame(words)
    assert await listen(dut, line) == (expected, [])


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def what_starts_inside_a_frame_is_lost_with_it(dut):
    """A preamble in place of any of the eight words; in place of the check sequence it starts a frame of its own."""
    await begin(dut)
    for place in range(1, 10):
        first, second = random_cell(), random_cell()
        line = frame(first)[:place] + frame(second)
        words = [data for data, _ in (line + [IDLE] * 9)[1:9]]
        expected = expected_cell(0, words, False)
        if place == 9:
            expected += expected_cell(9, second, True)
        assert await listen(dut, line) == (expected, [14]), place


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def slots_are_12_clocks_from_start_on(dut):
    await begin(dut)
    begins = []
    for clock in range(200):
        # The second start is without an effect.
        dut.start.value = clock in (20, 50)
        await RisingEdge(dut.clk)
        assert int(dut.running.value) == (clock > 20)
        if int(dut.slot_begin.value):
            begins.append(clock)
    assert begins == list(range(21, 200, 12))
    dut.rst.value = 1
    await RisingEdge(dut.clk)
    dut.rst.value = 0
    for _ in range(30):
        await RisingEdge(dut.clk)
        assert int(dut.slot_begin.value) == 0


async def payload(dut, source: int, destination: int, number: int) -> tuple[list[int], int]:
    """The words of a cell's payload, and its marks {end, start}."""
    dut.source.value, dut.fetch_valid.value, dut.fetch_dst.value, dut.fetch_seq.value = source, 1, destination, number
    await RisingEdge(dut.clk)
    dut.fetch_valid.value = 0
    words, marks = [], 0
    for n in range(WORDS + 2):
        await RisingEdge(dut.clk)
        assert int(dut.payload_valid.value) == (n < WORDS)
        if n < WORDS:
            words.append(int(dut.payload_data.value))
        if n == 0:
            marks = int(dut.payload_eop.value) << 1 | int(dut.payload_sop.value)
    return words, marks


async def errors(dut, source: int, number: int, words: list[int], marks: int) -> int:
    """Gives a cell to the check; the clocks in which it complains."""
    count = 0
    for n in range(WORDS + 4):
        dut.received_valid.value, dut.out_first.value, dut.out_valid.value = n == 0, n == 0, n < len(words)
        dut.received_src.value, dut.received_seq.value = source, number
        dut.received_sop.value, dut.received_eop.value = marks & 1, marks >> 1
        dut.out_data.value = words[n] if n < len(words) else 0
        await RisingEdge(dut.clk)
        count += int(dut.error.value)
    return count


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def payloads_tell_of_cells_that_are_cut_doubled_or_mixed(dut):
    await begin(dut)
    host, source, other = 3, 6, 5
    dut.host.value = host

    def bit(words, marks, foreign):
        place = random.randrange(WORDS)
        return [word ^ (n == place) << random.randrange(64) for n, word in enumerate(words)], marks, 1

    def word_of_another_cell(words, marks, foreign):
        place = random.randrange(WORDS)
        return [*words[:place], foreign[place], *words[place + 1 :]], marks, 1

    def two_words_exchanged(words, marks, foreign):
        return [words[1], words[0], *words[2:]], marks, 2

    def cut(words, marks, foreign):
        return words[: random.randint(1, 6)], marks, 1

    def longer(words, marks, foreign):
        return [*words, words[-1]], marks, 1

    def marks_wrong(words, marks, foreign):
        return words, marks ^ random.randint(1, 3), 1

    def mixed_up(words, marks, foreign):
        return foreign, marks, WORDS

    faults = [bit, word_of_another_cell, two_words_exchanged, cut, longer, marks_wrong, mixed_up]
    # The numbers of a source are dense; they end with 2^20 and begin again.
    number = (1 << 20) - 100
    for _ in range(10 if is_quick() else 60):
        for fault in random.sample(faults, len(faults)):
            number = (number + 1) % (1 << 20)
            words, marks = await payload(dut, source, host, number)
            assert len(set(words)) == WORDS
            of = random.choice([(other, host, number), (source, other, number), (source, host, number ^ 1 << random.randrange(20))])
            foreign, _ = await payload(dut, *of)
            wrong, wrong_marks, least = fault(words, marks, foreign)
            found = await errors(dut, source, number, wrong, wrong_marks)
            assert found == least if fault is not cut else found >= 1, fault.__name__
            # Its number came before.
            assert await errors(dut, source, number, words, marks) == 1
            number = (number + 1) % (1 << 20)
            assert await errors(dut, source, number, *await payload(dut, source, host, number)) == 0
    # Late by 127, but not twice.
    late = (number + 1) % (1 << 20)
    for number in [*((late + n) % (1 << 20) for n in range(1, 128)), late]:
        assert await errors(dut, source, number, *await payload(dut, source, host, number)) == 0
    assert await errors(dut, source, late, *await payload(dut, source, host, late)) == 1


def test_ww_shoal_mac():
    simulate("ww_shoal_mac_parts")
