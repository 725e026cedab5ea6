"""ww_axis_crc32 against zlib: every length, one beat a clock, and with pauses."""

import random
import zlib

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from testing import parameters, simulate, start

LATENCY = 4


def beats_of(packet: bytes) -> list[tuple[int, int, int]]:
    """(data, keep, last) of each beat; the bytes that are not kept are noise."""
    size = parameters()["WIDTH"] // 8
    beats = []
    for at in range(0, len(packet), size):
        part = packet[at : at + size]
        noise = random.randbytes(size - len(part))
        beats.append((int.from_bytes(part + noise, "little"), (1 << len(part)) - 1, int(at + size >= len(packet))))
    return beats


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def follows_zlib(dut):
    dut.beat_valid.value, dut.enable.value = 0, 1
    await start(dut)
    packets = [random.randbytes(size) for size in random.sample(range(1, 200), 199)] + [random.randbytes(1518)]
    for i in range(0, len(packets), 3):
        # Packets that are right and packets that are one bit wrong.
        packets[i] += zlib.crc32(packets[i]).to_bytes(4, "little")
        if i % 2:
            wrong = random.randrange(len(packets[i]))
            packets[i] = packets[i][:wrong] + bytes([packets[i][wrong] ^ 1 << random.randrange(8)]) + packets[i][wrong + 1 :]
    beats = [(beat, packet) for packet in packets for beat in beats_of(packet)]
    # (enabled clock in which it is due, packet)
    due = []
    enabled = results = 0
    for pausing in (False, True):
        position = 0
        while position < len(beats) or due:
            go = not pausing or random.random() < 0.7
            offers = position < len(beats) and (not pausing or random.random() < 0.7)
            dut.enable.value, dut.beat_valid.value = int(go), int(offers)
            if offers:
                (data, keep, last), packet = beats[position]
                dut.beat_data.value, dut.beat_keep.value, dut.beat_last.value = data, keep, last
            await Timer(1, "ns")
            expected = due[0][1] if due and due[0][0] == enabled else None
            assert int(dut.crc_valid.value) == (expected is not None)
            if expected is not None:
                assert int(dut.crc.value) == zlib.crc32(expected)
                good = zlib.crc32(expected[:-4]).to_bytes(4, "little") == expected[-4:]
                assert int(dut.crc_good.value) == (good and len(expected) >= 4)
            if go:
                if expected is not None:
                    due.pop(0)
                    results += 1
                if offers:
                    if last:
                        due.append((enabled + LATENCY, packet))
                    position += 1
                enabled += 1
            await RisingEdge(dut.clk)
    assert results == 2 * len(packets)


@pytest.mark.parametrize("width", [64, 256, 512])
def test_axis_crc32(width):
    simulate("ww_axis_crc32", {"WIDTH": width})


def test_illegal_parameters_do_not_build():
    with pytest.raises(RuntimeError, match="ww_axis_crc32: .* must be"):
        simulate("ww_axis_crc32", {"WIDTH": 32})
