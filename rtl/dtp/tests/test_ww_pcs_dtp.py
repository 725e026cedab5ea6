"""The MAC sees the same with clock synchronisation, without it, and with plain sublayers.

spec: 000-p4fpga-sonic-dtp 2.6, check 30
"""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import RisingEdge

from testing import parameters, simulate, start

IDLE_BLOCK = 0x1E << 2 | 1
# generated: dtp_states (crates/blocks/src/facts.rs)
SYNC = 3
# end of generated


def control_word(characters: list[int]) -> tuple[int, int]:
    return int.from_bytes(bytes(characters), "little"), 0xFF


def words() -> list[tuple[int, int]]:
    """XGMII words of 64 bits: frames with gaps, faults, and words that cannot stand where they are."""
    idle = control_word([0x07] * 8)
    kind = random.randrange(20)
    if kind < 2:
        return [control_word([0x06] * 8)] * random.randint(1, 3)
    if kind == 2:
        return [control_word([0xFE] * 8)]
    if kind == 3:
        # Local and remote fault.
        return [(0x0100009C_0100009C if random.random() < 0.5 else 0x0200009C_0200009C, 0x11)]
    if kind == 4:
        # Data without a start, and characters that do not exist.
        return [(random.getrandbits(64), random.getrandbits(8) & 0x7F)]
    length = random.randint(7, 190)
    frame = [(0xD5555555555555FB, 0x01)]
    frame += [(random.getrandbits(64), 0) for _ in range(length)]
    end = random.randrange(8)
    last = [random.getrandbits(8) if lane < end else 0xFD if lane == end else 0x07 for lane in range(8)]
    frame.append((int.from_bytes(bytes(last), "little"), 0xFF << end & 0xFF))
    return frame + [idle] * random.choice([1, 1, 2, 5, 40])


class Source:
    """Words in pieces of the width of XGMII."""

    def __init__(self, width: int):
        self._width = width
        self._pieces: deque[tuple[int, int]] = deque()

    def next(self) -> tuple[int, int]:
        if not self._pieces:
            lanes = self._width // 8
            for data, control in words():
                for n in range(64 // self._width):
                    piece = data >> n * self._width & ((1 << self._width) - 1)
                    self._pieces.append((piece, control >> n * lanes & ((1 << lanes) - 1)))
        return self._pieces.popleft()


def three(signal, bits: int) -> list[int]:
    value = int(signal.value)
    return [value >> n * bits & ((1 << bits) - 1) for n in range(3)]


@cocotb.test()
async def the_mac_sees_the_same(dut):
    """Each word, in its clock; the plain line is a block earlier. Messages stand in idle blocks only, and in nearly each of them,
    for the host has LOGs to send."""
    width = parameters()["XGMII_WIDTH"]
    lanes, later = width // 8, 64 // width
    source = Source(width)
    dut.data.value, dut.control.value = int("07" * lanes, 16), (1 << lanes) - 1
    await start(dut, longest=400_000)
    while int(dut.block_lock.value) != 7 or int(dut.state.value) & 7 != SYNC:
        await RisingEdge(dut.clk)
    plain: deque[tuple[int, int]] = deque()
    idle, messages, others = 0, 0, 0
    for clock in range(60_000):
        taken = three(dut.take, 1)
        assert taken == [1, 1, 1]
        dut.data.value, dut.control.value = source.next()
        await RisingEdge(dut.clk)
        data, control = three(dut.rx_data, width), three(dut.rx_control, lanes)
        assert three(dut.valid, 1) == [1, 1, 1]
        assert (data[0], control[0]) == (data[1], control[1]), f"clock {clock}"
        plain.append((data[2], control[2]))
        if len(plain) > later:
            assert (data[0], control[0]) == plain.popleft(), f"clock {clock}"
        if int(dut.tick.value):
            both = int(dut.filled.value)
            on, off = both & ((1 << 66) - 1), both >> 66
            if off == IDLE_BLOCK:
                idle += 1
                messages += on != off
                assert on & 0x3FF == off & 0x3FF
            else:
                others += 1
                assert on == off
    # The sequence of LOGs and beacons leaves no idle block without a message.
    assert idle > 1000 and others > 10_000 and messages > 0.99 * idle, (idle, messages, others)
    # The line where it is off has said nothing.
    assert int(dut.state.value) >> 3 == 0


@pytest.mark.parametrize("width", [64, 32])
def test_pcs_dtp(width):
    simulate("ww_pcs_dtp_lines", {"XGMII_WIDTH": width})
