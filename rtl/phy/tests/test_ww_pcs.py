"""ww_pcs_transmit and ww_pcs_receive through a line, between the XGMII source and sink of cocotbext-eth."""

import itertools
import logging
import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge, with_timeout
from cocotbext.eth import XgmiiFrame, XgmiiSink, XgmiiSource
from cocotbext.eth.constants import ETH_PREAMBLE

from testing import parameters, simulate, start


class Ends:
    """Source and sink, which say little."""

    def __init__(self, dut):
        logging.getLogger("cocotb").setLevel("WARNING")
        self.source = XgmiiSource(dut.tx_data, dut.tx_control, dut.clk, dut.rst, enable=dut.tx_take)
        self.sink = XgmiiSink(dut.rx_data, dut.rx_control, dut.clk, dut.rst, enable=dut.rx_valid)
        for end in (self.source, self.sink):
            end.log.setLevel("WARNING")


async def begin(dut, late: int = 0) -> Ends:
    dut.late.value = late
    dut.flip.value = 0
    dut.tx_data.value, dut.tx_control.value = idle(len(dut.tx_control))
    ends = Ends(dut)
    await start(dut, longest=20_000_000)
    await locked(dut)
    return ends


def idle(count: int) -> tuple[int, int]:
    return int("07" * count, 16), (1 << count) - 1


async def locked(dut) -> None:
    for _ in range(66 * 70 * 4):
        await RisingEdge(dut.clk)
        if int(dut.block_lock.value):
            return
    raise AssertionError("no block lock")


async def exchange(ends: Ends, payloads: list[bytes]) -> None:
    for payload in payloads:
        ends.source.send_nowait(XgmiiFrame.from_payload(payload, min_len=0))
    for number, payload in enumerate(payloads):
        frame = await with_timeout(ends.sink.recv(), 1, "ms")
        assert frame.ctrl is None and frame.check_fcs(), f"frame {number}"
        assert bytes(frame.get_payload()) == payload, f"frame {number}"


@cocotb.test()
async def all_lengths(dut):
    """Frames of 64 to 1522 bytes, the FCS included, with starts in both lanes where a word has two."""
    ends = await begin(dut, random.randrange(parameters()["LINE_WIDTH"]))
    lengths = list(range(60, 1519))
    random.shuffle(lengths)
    for offset in (False, True):
        ends.source.force_offset_start = offset
        await exchange(ends, [random.randbytes(length) for length in lengths])
    assert int(dut.bad_word.value) == 0


@cocotb.test()
async def any_alignment(dut):
    width = parameters()["LINE_WIDTH"]
    for late in range(width):
        ends = await begin(dut, late)
        await exchange(ends, [random.randbytes(random.randint(60, 200)) for _ in range(3)])
        assert int(dut.offset.value) <= 65
        dut.rst.value = 1
        await RisingEdge(dut.clk)


@cocotb.test()
async def errors_are_seen(dut):
    """A bit of a frame inverted: the scrambler makes it three bits. No frame with errors passes for good, and
    those before and behind it arrive."""
    width = parameters()["LINE_WIDTH"]
    ends = await begin(dut)
    bad, sent = 0, 0
    for _ in range(150):
        payloads = [random.randbytes(random.randint(60, 300)) for _ in range(3)]
        for payload in payloads:
            ends.source.send_nowait(XgmiiFrame.from_payload(payload, min_len=0))
        for _ in range(random.randint(3, 60)):
            await RisingEdge(dut.clk)
        dut.flip.value = 1 << random.randrange(width)
        await RisingEdge(dut.clk)
        dut.flip.value = 0
        for _ in range(500):
            await RisingEdge(dut.clk)
        good = []
        while not ends.sink.empty():
            frame = ends.sink.recv_nowait()
            whole = frame.ctrl is None or not any(frame.ctrl)
            if whole and frame.data[:8] == ETH_PREAMBLE and frame.check_fcs():
                good.append(bytes(frame.get_payload()))
        assert all(payload in payloads for payload in good)
        assert len(good) >= 1
        sent += len(payloads)
        bad += len(payloads) - len(good)
    assert 30 < bad < sent / 2, f"{bad} of {sent}"
    assert int(dut.block_lock.value) == 1


@cocotb.test()
async def a_line_without_blocks(dut):
    """Noise unlocks, and what comes out is local fault; then it comes back by itself."""
    width = parameters()["LINE_WIDTH"]
    ends = await begin(dut)
    for _ in range(3):
        for _ in range(2000):
            dut.flip.value = random.getrandbits(width)
            await RisingEdge(dut.clk)
        assert int(dut.block_lock.value) == 0
        lanes = len(dut.rx_control)
        assert int(dut.rx_data.value) == int("0100009c" * (lanes // 4), 16)
        assert int(dut.rx_control.value) == int("1" * (lanes // 4), 16)
        dut.flip.value = 0
        await locked(dut)
        for _ in range(20):
            await RisingEdge(dut.clk)
        while not ends.sink.empty():
            ends.sink.recv_nowait()
        await exchange(ends, [random.randbytes(100) for _ in range(5)])


@cocotb.test()
async def one_block_each(dut):
    """64 bits: a word is taken and one comes out each clock. 32: each clock too, which is a block in two."""
    await begin(dut)
    for _ in range(1000):
        await RisingEdge(dut.clk)
        assert int(dut.tx_take.value) == 1 and int(dut.rx_valid.value) == 1


@cocotb.test()
async def latency(dut):
    """A word that is offered in clock 0 is at the other end in clock 5; at 32 bits, its first half in clock 8."""
    await begin(dut)
    lanes = len(dut.tx_control)
    assert parameters()["LINE_WIDTH"] == 66
    mark = int("1f2e3d4c5b6a7988"[-2 * lanes + 2 :] + "fb", 16)
    if lanes == 4:
        # The first half of a word.
        while int(dut.line_valid.value) == 1:
            await RisingEdge(dut.clk)
        await RisingEdge(dut.clk)
        await RisingEdge(dut.clk)
    dut.tx_data.value, dut.tx_control.value = mark, 1
    await RisingEdge(dut.clk)
    dut.tx_data.value, dut.tx_control.value = mark, 0
    for clocks in itertools.count():
        await RisingEdge(dut.clk)
        if int(dut.rx_data.value) == mark:
            break
    # The line holds a block, and `clocks` is 0 in clock 1.
    held = 8 // lanes
    assert clocks + 1 - held == {8: 5, 4: 8}[lanes]


SHAPES = [(64, 66), (32, 66), (64, 64), (64, 40), (64, 32)]


@pytest.mark.parametrize("xgmii,line", SHAPES)
def test_pcs(xgmii, line):
    shape = {"XGMII_WIDTH": xgmii, "LINE_WIDTH": line}
    cases = ["any_alignment", "errors_are_seen", "a_line_without_blocks"]
    if line == 66:
        cases += ["one_block_each", "latency"]
    simulate("ww_pcs_loop", shape, testcase=cases)


@pytest.mark.long
@pytest.mark.parametrize("xgmii,line", [(64, 40), (32, 66)])
def test_pcs_all_lengths(xgmii, line):
    shape = {"XGMII_WIDTH": xgmii, "LINE_WIDTH": line}
    simulate("ww_pcs_loop", shape, testcase="all_lengths", optimize=True)
