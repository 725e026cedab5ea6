"""ww_mac_transmit and ww_mac_receive against the XGMII sink and source of cocotbext-eth."""

import itertools
import logging
import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge, with_timeout
from cocotbext.axi import AxiStreamFrame
from cocotbext.eth import XgmiiFrame, XgmiiSink, XgmiiSource
from cocotbext.eth.constants import ETH_PREAMBLE

from testing import is_quick, parameters, pauses, simulate, sink, source, start

IDLE, START, TERMINATE, ERROR = 0x07, 0xFB, 0xFD, 0xFE


def quiet(model):
    logging.getLogger("cocotb").setLevel("WARNING")
    model.log.setLevel("WARNING")
    return model


class Characters:
    """All characters that a word each clock brings, from the first start on."""

    def __init__(self, dut):
        self.all: list[tuple[int, int]] = []
        self._dut = dut
        cocotb.start_soon(self._watch())

    async def _watch(self):
        dut = self._dut
        while True:
            await RisingEdge(dut.clk)
            if int(dut.xgmii_take.value):
                data, control = int(dut.xgmii_data.value), int(dut.xgmii_control.value)
                self.all += [(control >> i & 1, data >> 8 * i & 0xFF) for i in range(8)]

    def gaps(self) -> list[int]:
        """Characters from each terminate to the next start."""
        ends = [i for i, lane in enumerate(self.all) if lane == (1, TERMINATE)]
        starts = [i for i, lane in enumerate(self.all) if lane == (1, START)]
        assert all(i % 4 == 0 for i in starts)
        # No word holds both.
        assert not {i // 8 for i in starts} & {i // 8 for i in ends}
        return [start - end for end, start in zip(ends, starts[1:])]


async def send(dut, lengths: list[int], gap: int, stop: float = 0.0) -> tuple[list[bytes], Characters]:
    """Frames one behind the other, which must arrive padded and with their check sequence; all in random clocks."""
    output = quiet(XgmiiSink(dut.xgmii_data, dut.xgmii_control, dut.clk, enable=dut.xgmii_take))
    given = source(dut)
    dut.gap.value = gap
    dut.xgmii_take.value = 1
    await start(dut, longest=20_000_000)
    characters = Characters(dut)
    if stop:
        cocotb.start_soon(stops(dut, stop))
    payloads = [random.randbytes(length) for length in lengths]
    for payload in payloads:
        given.send_nowait(AxiStreamFrame(payload))
    for number, payload in enumerate(payloads):
        frame = await with_timeout(output.recv(), 1, "ms")
        assert frame.data[:8] == ETH_PREAMBLE and frame.check_fcs(), f"frame {number}"
        assert bytes(frame.get_payload()) == payload.ljust(60, b"\0"), f"frame {number}"
    return payloads, characters


async def stops(dut, probability: float) -> None:
    for stopped in pauses(probability):
        dut.xgmii_take.value = int(not stopped)
        await RisingEdge(dut.clk)


@cocotb.test()
async def transmits_all_lengths(dut):
    lengths = list(range(1, 200)) + random.sample(range(200, 1515), 30 if is_quick() else 150) + [8996]
    random.shuffle(lengths)
    await send(dut, lengths, 12, stop=0.3)


@cocotb.test()
async def gaps_are_exact_in_the_mean(dut):
    """Any gap, any length: the mean is what was asked for, to less than four characters in all, and no single one is
    more than three away."""
    wanted = [12, random.choice([8, 9, 11, 13, 168])] if is_quick() else [12, 8, 9, 11, 13, 168]
    for gap, length in itertools.product(wanted, [60, 61, 62, 63, 64, 65, 66, 67, 1514]):
        count = 40 if length < 100 else 12
        _, characters = await send(dut, [length] * count, gap)
        gaps = characters.gaps()
        assert len(gaps) == count - 1
        assert max(abs(g - gap) for g in gaps) <= 3, (gap, length, gaps)
        assert abs(sum(gaps) - gap * len(gaps)) < 4, (gap, length, gaps)
    # Mixed lengths.
    _, characters = await send(dut, [random.randint(60, 200) for _ in range(200)], 12)
    assert abs(sum(characters.gaps()) - 12 * 199) < 4


@cocotb.test()
async def short_gaps(dut):
    """Below eight, a word holds no start beside a terminate: never less than asked by more than three, nor wrong."""
    for gap in (5, 6, 7):
        await send(dut, [random.randint(60, 90) for _ in range(60)], gap)


@cocotb.test()
async def line_rate_of_short_frames(dut):
    """64 bytes, 12 characters: 84 characters a frame, which is 14,880,952 frames a second of 1.25 billion characters."""
    _, characters = await send(dut, [60] * 201, 12)
    starts = [i for i, lane in enumerate(characters.all) if lane == (1, START)]
    assert starts[-1] - starts[0] == 84 * 200


@cocotb.test()
async def a_late_beat_cuts(dut):
    """The frame ends in error characters and is never good; the next one is."""
    dut.gap.value = 12
    dut.xgmii_take.value = 1
    output = quiet(XgmiiSink(dut.xgmii_data, dut.xgmii_control, dut.clk, enable=dut.xgmii_take))
    given = source(dut)
    await start(dut)
    underruns = 0
    for _ in range(30):
        slow, fast = random.randbytes(400), random.randbytes(100)
        hesitates = itertools.chain([False] * random.randint(10, 30), [True], itertools.repeat(False))
        given.set_pause_generator(hesitates)
        given.send_nowait(AxiStreamFrame(slow))
        given.send_nowait(AxiStreamFrame(fast))
        frame = await with_timeout(output.recv(), 10, "us")
        whole = (frame.ctrl is None or not any(frame.ctrl)) and frame.check_fcs()
        if not whole:
            underruns += 1
            assert ERROR in [octet for octet, is_control in zip(frame.data, frame.ctrl) if is_control]
        else:
            assert bytes(frame.get_payload()) == slow
        assert bytes((await with_timeout(output.recv(), 10, "us")).get_payload()) == fast
        given.clear_pause_generator()
    assert underruns > 20


async def deliver(dut) -> tuple[XgmiiSource, object]:
    given = quiet(XgmiiSource(dut.xgmii_data, dut.xgmii_control, dut.clk, enable=dut.xgmii_valid))
    output = sink(dut)
    dut.xgmii_valid.value = 1
    dut.now.value = 0x1234_5678_9ABC
    await start(dut, longest=20_000_000)
    return given, output


USER = 0x1234_5678_9ABC << 17 | 7 << 1


async def expect(output, payload: bytes, bad: bool) -> None:
    frame = await with_timeout(output.recv(compact=False), 1, "ms")
    size = sum(frame.tkeep)
    assert bytes(frame.tdata[:size]) == payload
    assert all(user == USER for user in frame.tuser[:-8])
    assert frame.tuser[-1] == USER | bad


@cocotb.test()
async def receives_all_lengths(dut):
    given, output = await deliver(dut)
    cocotb.start_soon(gaps_of_words(dut, 0.2))
    for offset in (False, True):
        given.force_offset_start = offset
        lengths = list(range(60, 300)) + random.sample(range(300, 1515), 60)
        payloads = [random.randbytes(length) for length in lengths]
        for payload in payloads:
            given.send_nowait(XgmiiFrame.from_payload(payload))
        for payload in payloads:
            await expect(output, payload, False)


async def gaps_of_words(dut, probability: float) -> None:
    for stopped in pauses(probability):
        dut.xgmii_valid.value = int(not stopped)
        await RisingEdge(dut.clk)


@cocotb.test()
async def receives_without_a_gap(dut):
    """Frames as near to each other as XGMII lets them be."""
    given, output = await deliver(dut)
    given.ifg = 5
    payloads = [random.randbytes(random.randint(60, 80)) for _ in range(300)]
    for payload in payloads:
        given.send_nowait(XgmiiFrame.from_payload(payload))
    for payload in payloads:
        await expect(output, payload, False)


@cocotb.test()
async def judges(dut):
    """Every fault in turn, each with a good frame behind it."""
    given, output = await deliver(dut)
    longest = parameters()["MAX_FRAME"]
    counted = {name: 0 for name in ("bad_preamble", "cut", "runt", "oversize")}

    async def count():
        while True:
            await RisingEdge(dut.clk)
            for name in counted:
                counted[name] += int(getattr(dut, name).value)

    cocotb.start_soon(count())
    due = dict.fromkeys(counted, 0)
    for _ in range(200):
        given.force_offset_start = random.random() < 0.5
        payload = random.randbytes(random.randint(60, longest - 4))
        frame = XgmiiFrame.from_payload(payload)
        match random.randrange(6):
            case 0:
                place = random.randrange(8, len(frame.data))
                frame.data[place] ^= 1 << random.randrange(8)
                given.send_nowait(frame)
                await expect(output, bytes(frame.data[8:-4]), True)
            case 1:
                frame.data[random.randrange(1, 8)] ^= 1 << random.randrange(8)
                given.send_nowait(frame)
                due["bad_preamble"] += 1
            case 2:
                place = random.randrange(8 + 13, len(frame.data) - 1)
                frame.normalize()
                frame.data[place], frame.ctrl[place] = ERROR, 1
                given.send_nowait(frame)
                await expect(output, bytes(frame.data[8 : place - 4]), True)
                due["cut"] += 1
            case 3:
                short = XgmiiFrame.from_payload(payload[: random.randint(1, 59)], min_len=0)
                given.send_nowait(short)
                await expect(output, bytes(short.data[8:-4]), True)
                due["runt"] += 1
            case 4:
                long = XgmiiFrame.from_payload(random.randbytes(longest - 4 + random.randint(1, 40)))
                given.send_nowait(long)
                whole_beats = longest // 8 * 8
                await expect(output, bytes(long.data[8 : 8 + whole_beats - 4]), True)
                due["oversize"] += 1
            case 5:
                # Four bytes or fewer: nothing but a count.
                given.send_nowait(XgmiiFrame.from_raw_payload(random.randbytes(random.randint(0, 4))))
                due["runt"] += 1
        payload = random.randbytes(100)
        given.send_nowait(XgmiiFrame.from_payload(payload))
        await expect(output, payload, False)
        assert counted == due
    longest_good = random.randbytes(longest - 4)
    given.send_nowait(XgmiiFrame.from_payload(longest_good))
    await expect(output, longest_good, False)


@cocotb.test()
async def latency(dut):
    """From the word in which the destination address begins to the first beat."""
    given, _ = await deliver(dut)
    for offset, clocks in ((False, 8), (True, 9)):
        given.force_offset_start = offset
        given.send_nowait(XgmiiFrame.from_payload(b"\x5a" * 100))
        while int(dut.xgmii_data.value) >> (32 if offset else 0) & 0xFF != START:
            await RisingEdge(dut.clk)
        # In this clock the preamble is there: the address is in the next one.
        waited = 0
        while not int(dut.m_axis_tvalid.value):
            await RisingEdge(dut.clk)
            waited += 1
        assert waited - 1 == clocks, (offset, waited - 1)
        while int(dut.m_axis_tvalid.value):
            await RisingEdge(dut.clk)


TRANSMIT = [
    "transmits_all_lengths",
    "gaps_are_exact_in_the_mean",
    "short_gaps",
    "line_rate_of_short_frames",
    "a_late_beat_cuts",
]
RECEIVE = ["receives_all_lengths", "receives_without_a_gap", "latency"]


def test_mac_transmit():
    simulate("ww_mac_transmit", testcase=TRANSMIT, optimize=True)


@pytest.mark.parametrize("longest,cases", [(9018, RECEIVE), (300, ["judges"]), (304, ["judges"])])
def test_mac_receive(longest, cases):
    shape = {"MAX_FRAME": longest, "PORT": 7}
    simulate("ww_mac_receive", shape, testcase=cases, optimize=True)
