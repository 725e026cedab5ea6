"""ww_axis_fcs_append and ww_axis_fcs_check against zlib, with the clocks that they promise."""

import os
import random
import zlib

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge
from cocotb.utils import get_sim_time

from testing import Packet, parameters, pauses, receive, simulate, sink, source, start

CLOCK_NS = 10


def fcs(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "little")


def beats(data: bytes) -> int:
    return -(-len(data) * 8 // parameters()["WIDTH"])


async def watch(dut, prefix: str, clocks: list):
    """Notes the clocks in which beats pass."""
    valid, ready = getattr(dut, f"{prefix}_tvalid"), getattr(dut, f"{prefix}_tready")
    while True:
        await ReadOnly()
        if valid.value and ready.value:
            clocks.append(int(get_sim_time("ns")) // CLOCK_NS)
        await RisingEdge(dut.clk)


def sizes() -> list[int]:
    beat = parameters()["WIDTH"] // 8
    return random.sample(range(1, 140), 139) + [beat, beat - 4, beat - 3] * 5 + [1514]


@cocotb.test(timeout_time=150, timeout_unit="us")
@cocotb.parametrize(pausing=[False, True])
async def appends(dut, pausing):
    if "append" not in os.environ["MODULE"]:
        return
    await start(dut)
    sender, receiver = source(dut), sink(dut)
    if pausing:
        sender.set_pause_generator(pauses(0.3))
        receiver.set_pause_generator(pauses(0.3))
    entered, left = [], []
    cocotb.start_soon(watch(dut, "s_axis", entered))
    cocotb.start_soon(watch(dut, "m_axis", left))
    packets = [Packet(random.randbytes(size), random.getrandbits(65)) for size in sizes()]
    for packet in packets:
        sender.send_nowait(packet.frame())
    for packet in packets:
        assert await receive(receiver) == Packet(packet.data + fcs(packet.data), packet.user)
    await RisingEdge(dut.clk)
    if not pausing:
        # A beat of output in every clock from the fifth on.
        count = sum(beats(packet.data + b"fcs.") for packet in packets)
        assert left == list(range(entered[0] + 5, entered[0] + 5 + count))


@cocotb.test(timeout_time=150, timeout_unit="us")
@cocotb.parametrize(pausing=[False, True])
async def checks(dut, pausing):
    if "check" not in os.environ["MODULE"]:
        return
    strip = parameters()["STRIP"]
    await start(dut)
    sender, receiver = source(dut), sink(dut)
    if pausing:
        sender.set_pause_generator(pauses(0.3))
        receiver.set_pause_generator(pauses(0.3))
    entered, left = [], []
    cocotb.start_soon(watch(dut, "s_axis", entered))
    cocotb.start_soon(watch(dut, "m_axis", left))
    packets = []
    for size in sizes():
        data = random.randbytes(size)
        data += random.choice([fcs(data), fcs(data), random.randbytes(4)])
        packets.append(Packet(data, random.getrandbits(65)))
    # Too short for a sequence.
    packets[20:20] = [Packet(random.randbytes(size), 2) for size in (1, 2, 3, 4)]
    for packet in packets:
        sender.send_nowait(packet.frame())
    expected = []
    for packet in packets:
        data, bad = packet.data, len(packet.data) < 4 or fcs(packet.data[:-4]) != packet.data[-4:]
        if strip:
            data = data[:-4]
        if data:
            expected.append(Packet(data, packet.user | bad))
    for packet in expected:
        frame = await receiver.recv(compact=False)
        assert bytes(b for b, kept in zip(frame.tdata, frame.tkeep, strict=True) if kept) == packet.data
        # Only the last beat says what is bad; the rest of tuser is the same in all beats.
        users = frame.tuser if isinstance(frame.tuser, list) else [frame.tuser]
        assert users[-1] == packet.user
        assert {user >> 1 for user in users} == {packet.user >> 1}
    for _ in range(10):
        await RisingEdge(dut.clk)
    assert receiver.empty()
    if not pausing:
        assert entered == list(range(entered[0], entered[0] + len(entered)))
        assert len(left) == sum(beats(packet.data) for packet in expected)
        assert left[0] == entered[0] + 6 and left[-1] <= entered[-1] + 6


@pytest.mark.parametrize("width", [64, 512])
def test_fcs_append(width):
    simulate("ww_axis_fcs_append", {"WIDTH": width}, environment={"MODULE": "append"})


@pytest.mark.parametrize(("width", "strip"), [(64, 1), (512, 1), (128, 0)])
def test_fcs_check(width, strip):
    simulate("ww_axis_fcs_check", {"WIDTH": width, "STRIP": strip}, environment={"MODULE": "check"})
