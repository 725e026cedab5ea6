"""Frames to and from the segmented bus of a 100G MAC, through each adapter alone and through both with the line between them.

spec: 002-monitoring-limago 2.1, 2.2; checks 1, 2, 3
"""

import os
import random
from dataclasses import dataclass

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from testing import is_quick, parameters, simulate, start

LANES, SEGMENT, BEAT = 4, 16, 64
CLOCK_GHZ = 0.322265625
# Of frames of one size, and so many of them: per cent of the line, check 3.
PUBLISHED_SHARE = {(60, 300): 71.4286, (1514, 60): 98.4395}


def only_for(module: str) -> bool:
    return os.environ["MODULE"] == module


@dataclass
class Segment:
    data: bytes
    sop: bool
    eop: bool
    err: bool = False


def segments(frame: bytes, bad: bool = False) -> list[Segment]:
    parts = [frame[at : at + SEGMENT] for at in range(0, len(frame), SEGMENT)]
    return [Segment(part, n == 0, n == len(parts) - 1, bad and n == len(parts) - 1) for n, part in enumerate(parts)]


def drive(dut, lanes: list[Segment | None]) -> None:
    """A clock of the bus; noise where nothing is valid."""
    ena = sop = eop = err = mty = data = 0
    for n, segment in enumerate(lanes):
        noise = random.randbytes(SEGMENT)
        if segment is None:
            sop, eop = sop | random.getrandbits(1) << n, eop | random.getrandbits(1) << n
            data |= int.from_bytes(noise) << 128 * n
            continue
        ena, sop, eop, err = ena | 1 << n, sop | segment.sop << n, eop | segment.eop << n, err | segment.err << n
        mty |= (SEGMENT - len(segment.data)) << 4 * n
        data |= int.from_bytes(segment.data + noise[len(segment.data) :]) << 128 * n
    dut.s_lbus_ena.value, dut.s_lbus_sop.value, dut.s_lbus_eop.value, dut.s_lbus_err.value = ena, sop, eop, err
    dut.s_lbus_mty.value, dut.s_lbus_data.value = mty, data


class Stream:
    """Frames that leave at m_axis: no bubble within `clocks`, all beats full but the last."""

    def __init__(self, dut):
        self.dut, self.frames, self.part, self.beats = dut, [], b"", 0

    def look(self) -> None:
        if not int(self.dut.m_axis_tvalid.value):
            return
        self.beats += 1
        keep = int(self.dut.m_axis_tkeep.value)
        count = keep.bit_count()
        assert keep == (1 << count) - 1 and count
        self.part += int(self.dut.m_axis_tdata.value).to_bytes(BEAT, "little")[:count]
        if int(self.dut.m_axis_tlast.value):
            self.frames.append((self.part, bool(int(self.dut.m_axis_tuser.value))))
            self.part = b""
        else:
            assert count == BEAT


class Bus:
    """Frames that leave at m_lbus."""

    def __init__(self, dut):
        self.dut, self.frames, self.part, self.clocks = dut, [], None, 0
        self.first_lanes: set[int] = set()
        self.ends: list[int] = []

    def look(self, aligned: bool) -> None:
        dut = self.dut
        self.clocks += 1
        ena, sop, eop = (int(signal.value) for signal in (dut.m_lbus_ena, dut.m_lbus_sop, dut.m_lbus_eop))
        assert not aligned or self.part is None or ena & 1, "a gap within a frame"
        if not ena:
            return
        data, mty = int(dut.m_lbus_data.value), int(dut.m_lbus_mty.value)
        for n in range(LANES):
            if not ena >> n & 1:
                # Within a frame all segments are valid.
                assert self.part is None
                continue
            is_first, is_last = sop >> n & 1, eop >> n & 1
            assert bool(is_first) == (self.part is None)
            if is_first:
                assert not aligned or n == 0
                self.first_lanes.add(n)
            empty = mty >> 4 * n & 15
            assert is_last or not (empty or int(dut.m_lbus_err.value) >> n & 1)
            self.part = (self.part or b"") + (data >> 128 * n & ((1 << 128) - 1)).to_bytes(SEGMENT)[: SEGMENT - empty]
            if is_last:
                self.frames.append((self.part, bool(int(dut.m_lbus_err.value) >> n & 1)))
                self.ends.append(self.clocks)
                self.part = None


def sizes(shortest: int, longest: int) -> list[int]:
    """All in a whole run; else the shortest ones, both sides of each beat's end, and some."""
    if not is_quick():
        return list(range(shortest, longest + 1))
    edges = [at + n for at in range(BEAT, longest, 4 * BEAT) for n in (-1, 0, 1)]
    return sorted({*range(shortest, shortest + 12), *(n for n in edges if shortest <= n <= longest), *random.sample(range(shortest, longest + 1), 30), longest})


@cocotb.test()
async def from_each_segment(dut):
    """Frames begin in any segment, one often in the clock in which another ends; none is lost at the line's rate, whatever their size."""
    if not only_for("ww_lbus_to_axis"):
        return
    drive(dut, [None] * LANES)
    await start(dut)
    stream, sent, lanes_seen = Stream(dut), [], set()
    for size in sizes(15, 1536):
        # So many bytes of the line pass in a clock, in 33rds; a burst before it has been saved up.
        credit, waiting = 0, []
        for turn in range(8):
            frame, bad = random.randbytes(size), random.random() < 0.1
            sent.append((frame, bad))
            waiting.append(segments(frame, bad))
        while waiting:
            credit += 1280
            lanes: list[Segment | None] = [None] * LANES
            first, n = random.randrange(LANES) if waiting[0][0].sop else 0, 0
            for n in range(first, LANES):
                if not waiting or (waiting[0][0].sop and credit < 33 * (size + 24)):
                    break
                if waiting[0][0].sop:
                    credit -= 33 * (size + 24)
                    lanes_seen.add(n)
                lanes[n] = waiting[0].pop(0)
                if not waiting[0]:
                    waiting.pop(0)
            drive(dut, lanes)
            await RisingEdge(dut.clk)
            stream.look()
            assert not int(dut.event_overflow.value) and not int(dut.event_stray.value), f"frames of {size} bytes"
    drive(dut, [None] * LANES)
    for _ in range(12):
        await RisingEdge(dut.clk)
        stream.look()
    assert stream.frames == sent and not stream.part
    assert lanes_seen == set(range(LANES))


@cocotb.test()
async def a_beat_a_clock(dut):
    """Frame behind frame in all segments: the stream has ceil(n / 64) beats for each and no bubble, which are the 165 Gb/s of the clock times what of the beats
    is used; and that is more than Ethernet has, by 10.76 Gb/s or more, the least at 65 bytes."""
    if not only_for("ww_lbus_to_axis"):
        return
    drive(dut, [None] * LANES)
    await start(dut)
    stream, gbps = Stream(dut), {}
    for size in sizes(60, 1536):
        frames = [random.randbytes(size) for _ in range(4)]
        waiting, sent = [segment for frame in frames for segment in segments(frame)], []
        beats = len(frames) * -(-size // BEAT)
        stream.beats, stream.frames, begun, clocks = 0, [], None, 0
        for clock in range(beats + 20):
            # As long as the queue has room, all of the bus.
            inside = sum(len(segment.data) for segment in sent) - sum(len(frame) for frame, _ in stream.frames) - len(stream.part)
            lanes = [waiting.pop(0) if waiting and inside <= 4 * BEAT else None for _ in range(LANES)]
            sent += [segment for segment in lanes if segment is not None]
            drive(dut, lanes)
            await RisingEdge(dut.clk)
            before = stream.beats
            stream.look()
            if stream.beats > before and begun is None:
                begun = clock
            if stream.beats == beats and before < beats:
                clocks = clock - begun + 1
        assert [frame for frame, _ in stream.frames] == frames
        assert clocks == beats, f"{size} bytes: {clocks} clocks for {beats} beats"
        gbps[size] = 8 * size * len(frames) * CLOCK_GHZ / clocks
    assert abs(gbps[65] - 83.789) < 0.001
    margins = {size: rate - 100 * size / (size + 24) for size, rate in gbps.items()}
    assert min(margins, key=margins.get) == 65 and abs(margins[65] - 10.76) < 0.01


@cocotb.test()
async def bad_frames(dut):
    """A start within a frame, segments without a start, and frames that are too short too fast: each is told of, and what is whole comes whole."""
    if not only_for("ww_lbus_to_axis"):
        return
    drive(dut, [None] * LANES)
    await start(dut)
    stream, strays, overflows = Stream(dut), 0, 0

    async def clock(lanes: list[Segment | None]) -> None:
        nonlocal strays, overflows
        drive(dut, lanes)
        await RisingEdge(dut.clk)
        stream.look()
        strays += int(dut.event_stray.value)
        overflows += int(dut.event_overflow.value)

    whole = random.randbytes(100)
    bodies = segments(whole)
    # Without a start.
    await clock([None, Segment(bytes(16), False, False), Segment(bytes(16), False, True), bodies[0]])
    await clock([*bodies[1:5]])
    await clock([*bodies[5:7], None, None])
    # A second start.
    broken = [Segment(random.randbytes(16), True, False) for _ in range(2)] + [Segment(random.randbytes(9), False, True)]
    await clock([None, *broken])
    # And one long before the end.
    longer = [Segment(random.randbytes(16), n < 2, n == 14) for n in range(15)]
    for at in range(0, 15, LANES):
        await clock([*longer[at : at + LANES], None][:LANES])
    for _ in range(6):
        await clock([None] * LANES)
    assert strays == 1 and overflows == 0
    assert stream.frames == [(whole, False), *((b"".join(segment.data for segment in frame), True) for frame in (broken, longer))]
    # Short frames that leave one a clock, and a long one for which there is less and less room: it is cut, and the next one is whole.
    stream.frames, overflows = [], 0
    sent = [random.randbytes(16) for _ in range(4 * parameters()["ROWS"] * 2 // 3)]
    for at in range(0, len(sent), LANES):
        await clock([Segment(data, True, True) for data in sent[at : at + LANES]] + [None] * (LANES - len(sent[at : at + LANES])))
    cut = random.randbytes(16 * 4 * 40)
    parts = segments(cut)
    for at in range(0, len(parts), LANES):
        await clock(parts[at : at + LANES])
    for at in (0, LANES):
        await clock([*bodies[at : at + LANES], None][:LANES])
    for _ in range(8):
        await clock([None] * LANES)
    *short, (part, bad), last = stream.frames
    assert overflows == 1 and last == (whole, False) and short == [(data, False) for data in sent]
    assert bad and cut.startswith(part) and len(part) < len(cut)
    overflows = 0
    # Four frames of 16 bytes in each clock, as no line has them, and a long one among them.
    stream.frames, sent = [], []
    for _ in range(200):
        lanes = [Segment(random.randbytes(16), True, True) for _ in range(LANES)]
        sent += [segment.data for segment in lanes]
        await clock(lanes)
    cut = random.randbytes(16 * 4 * 40)
    parts = segments(cut)
    for at in range(0, len(parts), LANES):
        await clock(parts[at : at + LANES])
    for _ in range(60):
        await clock([None] * LANES)
    await clock([bodies[0], *bodies[1:4]])
    await clock([*bodies[4:7], None])
    for _ in range(8):
        await clock([None] * LANES)
    assert overflows > 100
    assert stream.frames[-1] == (whole, False)
    got = [frame for frame, _ in stream.frames[:-1]]
    short = [frame for frame in got if len(frame) == 16 and frame in set(sent)]
    assert len(short) > 150 and short == [frame for frame in sent if frame in set(short)]
    # Of the long one nothing, or a part of it that is bad.
    for frame, bad in stream.frames[:-1]:
        assert frame in set(sent) or (bad and cut.startswith(frame[:16])) or frame == cut


@cocotb.test()
async def without_a_gap(dut):
    """Sources that pause, a MAC that is not ready: each frame is sent in clocks that follow each other while the MAC is ready, whole, with its start in segment
    0; what the source marks as bad is marked."""
    if not only_for("ww_axis_to_lbus"):
        return
    dut.s_axis_tvalid.value, dut.m_lbus_ready.value = 0, 1
    await start(dut)
    # With a small START a source may not pause.
    for pausing, stopping in ((False, False), (True, False), (True, True)) if parameters()["START"] > 150 else ((False, False), (False, True)):
        bus, sent = Bus(dut), []
        beats = []
        for size in random.sample(sizes(60, 1536), 40) + [60, 64, 65, 9600]:
            frame, bad = random.randbytes(size), random.random() < 0.2
            sent.append((frame, bad))
            for at in range(0, size, BEAT):
                part = frame[at : at + BEAT]
                beats.append((part, at + BEAT >= size, bad))
        idle = 0
        while idle < 400:
            offers = bool(beats) and not (pausing and random.random() < 0.4)
            dut.s_axis_tvalid.value = int(offers)
            dut.m_lbus_ready.value = int(not (stopping and random.random() < 0.3))
            if offers:
                part, last, bad = beats[0]
                dut.s_axis_tdata.value = int.from_bytes(part + random.randbytes(BEAT - len(part)), "little")
                dut.s_axis_tkeep.value, dut.s_axis_tlast.value = (1 << len(part)) - 1, int(last)
                dut.s_axis_tuser.value = int(bad) if last else random.getrandbits(1)
            await Timer(1, "ns")
            if offers and int(dut.s_axis_tready.value):
                beats.pop(0)
            was_ready = int(dut.m_lbus_ready.value)
            await RisingEdge(dut.clk)
            await Timer(1, "ns")
            if was_ready:
                bus.look(aligned=True)
            else:
                assert not int(dut.m_lbus_ena.value)
            assert not int(dut.event_underflow.value)
            idle = idle + 1 if not beats else 0
        assert bus.frames == sent


@cocotb.test()
async def a_source_that_waits_too_long(dut):
    """More than START beats are not there before a frame begins: it is cut and bad, and told of; the next one is whole."""
    if not only_for("ww_axis_to_lbus"):
        return
    first = parameters()["START"]
    dut.s_axis_tvalid.value, dut.m_lbus_ready.value = 0, 1
    await start(dut)
    bus, underflows = Bus(dut), 0
    frames = [random.randbytes(BEAT * (first + 10)), random.randbytes(200)]
    for n, frame in enumerate(frames):
        for at in range(0, len(frame), BEAT):
            part = frame[at : at + BEAT]
            dut.s_axis_tvalid.value, dut.s_axis_tuser.value = 1, 0
            dut.s_axis_tdata.value, dut.s_axis_tkeep.value = int.from_bytes(part, "little"), (1 << len(part)) - 1
            dut.s_axis_tlast.value = int(at + BEAT >= len(frame))
            for wait in range(1 + (3 * first if n == 0 and at == BEAT * first else 0)):
                await RisingEdge(dut.clk)
                await Timer(1, "ns")
                dut.s_axis_tvalid.value = 0 if wait == 0 else dut.s_axis_tvalid.value
                bus.look(aligned=False)
                underflows += int(dut.event_underflow.value)
    dut.s_axis_tvalid.value = 0
    for _ in range(3 * first + 20):
        await RisingEdge(dut.clk)
        await Timer(1, "ns")
        bus.look(aligned=False)
        underflows += int(dut.event_underflow.value)
    assert underflows == 1
    (cut, bad), second = bus.frames
    assert bad and frames[0].startswith(cut[: BEAT * first]) and len(cut) < len(frames[0])
    assert second == (frames[1], False)


@cocotb.test()
async def at_the_rate_of_the_line(dut):
    """A stream through both adapters and the line between them: frames of n bytes follow each other in (n + 24) * 33 / 1280 clocks, and come whole, from each
    segment."""
    if not only_for("ww_lbus_link"):
        return
    dut.s_axis_tvalid.value = 0
    await start(dut)
    stream, lanes = Stream(dut), set()
    all_sizes = sizes(60, 1536) if is_quick() else [*range(60, 300), *random.sample(range(300, 9600), 40), 1514, 9014]
    # Of some sizes so many that a byte of the gap would be seen.
    for size, count in [*((size, 20) for size in all_sizes), (60, 300), (65, 300), (127, 300), (1514, 60)]:
        frames = [random.randbytes(size) for _ in range(count)]
        beats = [(frame[at : at + BEAT], at + BEAT >= size) for frame in frames for at in range(0, size, BEAT)]
        stream.frames, starts, clock, in_frame = [], [], 0, False
        while len(stream.frames) < len(frames):
            if beats:
                part, last = beats[0]
                dut.s_axis_tvalid.value, dut.s_axis_tlast.value, dut.s_axis_tuser.value = 1, int(last), 0
                dut.s_axis_tdata.value, dut.s_axis_tkeep.value = int.from_bytes(part, "little"), (1 << len(part)) - 1
            else:
                dut.s_axis_tvalid.value = 0
            await Timer(1, "ns")
            if beats and int(dut.s_axis_tready.value):
                beats.pop(0)
            await RisingEdge(dut.clk)
            await Timer(1, "ns")
            clock += 1
            ena, sop, eop = (int(signal.value) for signal in (dut.line_ena, dut.line_sop, dut.line_eop))
            for n in range(LANES) if ena else ():
                # In front of a start and behind an end alone a segment of a clock may be empty.
                assert ena >> n & 1 or not in_frame
                if ena >> n & 1:
                    in_frame = not eop >> n & 1
                    if sop >> n & 1:
                        starts.append(clock)
                        lanes.add(n)
            stream.look()
            assert not int(dut.event_overflow.value) and not int(dut.event_underflow.value), f"frames of {size} bytes"
            assert clock < 2 * count * size, "no end"
        assert stream.frames == [(frame, False) for frame in frames]
        # The first frames may wait for each other. A start leaves with the segments of its clock: 1 to 4, two clocks of the line at most.
        took, expected = starts[-1] - starts[3], (count - 4) * (size + 24) * 33 / 1280
        # Check 3: what is left of 100 Gb/s for frames of 60 and of 1,514 bytes.
        if (size, count) in PUBLISHED_SHARE:
            share = 8 * size * (count - 4) * CLOCK_GHZ / took
            assert abs(share - PUBLISHED_SHARE[size, count]) < 300 / expected, f"frames of {size} bytes: {share} Gb/s"
        assert abs(took - expected) <= 3, f"frames of {size} bytes: {took} clocks for {expected:.1f}"
    assert lanes == set(range(LANES))


@pytest.mark.parametrize("rows", [8, 16])
def test_ww_lbus_to_axis(rows):
    simulate("ww_lbus_to_axis", {"ROWS": rows}, environment={"MODULE": "ww_lbus_to_axis"})


@pytest.mark.parametrize("first", [256, 8])
def test_ww_axis_to_lbus(first):
    simulate("ww_axis_to_lbus", {"START": first}, environment={"MODULE": "ww_axis_to_lbus"})


def test_ww_lbus_wire():
    simulate("ww_lbus_link", environment={"MODULE": "ww_lbus_link"})


@pytest.mark.parametrize(("module", "parameter"), [("ww_lbus_to_axis", {"ROWS": 6}), ("ww_axis_to_lbus", {"START": 0})])
def test_illegal_parameters_do_not_build(module, parameter):
    with pytest.raises(RuntimeError, match=f"{module}: .* must be"):
        simulate(module, parameter)
