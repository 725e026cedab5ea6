"""ww_ones_sum, ww_checksum_update and ww_axis_checksum against scapy's checksum and plain sums."""

import os
import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer
from scapy.utils import checksum as scapy_checksum

from testing import parameters, simulate, start


def ones_sum(data: bytes) -> int:
    """Not inverted. scapy inverts; and a sum of zeros it gives as such."""
    return 0xFFFF ^ scapy_checksum(data)


def only_for(module: str) -> bool:
    return os.environ["MODULE"] == module


def random_word() -> int:
    return random.choice([0, 0xFFFF, random.getrandbits(16)])


@cocotb.test(timeout_time=100, timeout_unit="us")
async def sums_words(dut):
    if not only_for("ww_ones_sum"):
        return
    words, levels = parameters()["WORDS"], parameters()["LEVELS"]
    latency = -(-(words - 1).bit_length() // levels) + 1
    dut.enable.value = 1
    await start(dut, reset=None)
    sets = [[random_word() for _ in range(words)] for _ in range(200)] + [[0] * words, [0xFFFF] * words]
    for clock in range(len(sets) + latency):
        if clock < len(sets):
            dut.words.value = sum(word << 16 * i for i, word in enumerate(sets[clock]))
        await Timer(1, "ns")
        if clock >= latency:
            expected = ones_sum(b"".join(word.to_bytes(2, "big") for word in sets[clock - latency]))
            assert int(dut.sum.value) == expected
        await RisingEdge(dut.clk)
    # Standing still.
    dut.enable.value = 0
    await RisingEdge(dut.clk)
    before = int(dut.sum.value)
    dut.words.value = 1
    for _ in range(latency + 2):
        await RisingEdge(dut.clk)
    assert int(dut.sum.value) == before


@cocotb.test(timeout_time=100, timeout_unit="us")
async def updates_checksum(dut):
    """As a new checksum of the whole header, of which the changed words are a part."""
    if not only_for("ww_checksum_update"):
        return
    words = parameters()["WORDS"]
    for _ in range(2000):
        # Version and length of an IPv4 header: what keeps the sum from being zero.
        rest = bytes([0x45, 0]) + random.randbytes(random.choice([0, 8]))
        old, new = ([random_word() for _ in range(words)] for _ in range(2))
        old_bytes, new_bytes = (b"".join(word.to_bytes(2, "big") for word in side) for side in (old, new))
        dut.checksum.value = scapy_checksum(rest + old_bytes)
        dut.old_words.value = sum(word << 16 * i for i, word in enumerate(old))
        dut.new_words.value = sum(word << 16 * i for i, word in enumerate(new))
        await Timer(1, "ns")
        assert int(dut.updated.value) == scapy_checksum(rest + new_bytes)


@cocotb.test(timeout_time=500, timeout_unit="us")
async def sums_ranges(dut):
    if not only_for("ww_axis_checksum"):
        return
    size = parameters()["WIDTH"] // 8
    dut.beat_valid.value, dut.enable.value = 0, 1
    await start(dut)
    jobs = []
    for length in random.sample(range(1, 200), 199) + [1500]:
        packet = random.choice([random.randbytes(length), bytes(length), b"\xff" * length])
        begin = random.choice([0, random.randint(0, length), random.randint(0, length + 80)])
        count = random.choice([0xFFFF, random.randint(0, length), length])
        covered = packet[begin : begin + count]
        initial = random.choice([0, 0xFFFF, random.getrandbits(16), 0xFFFF ^ ones_sum(covered)])
        for at in range(0, length, size):
            part = packet[at : at + size]
            noise = random.randbytes(size - len(part))
            beat = (int.from_bytes(part + noise, "little"), (1 << len(part)) - 1, int(at + size >= length))
            expected = initial + ones_sum(covered)
            expected = (expected & 0xFFFF) + (expected >> 16)
            jobs.append((beat, begin, count, initial, expected))
    due, results = [], 0
    enabled = 0
    for pausing in (False, True):
        position = 0
        while position < len(jobs) or due:
            go = not pausing or random.random() < 0.7
            offers = position < len(jobs) and (not pausing or random.random() < 0.7)
            dut.enable.value, dut.beat_valid.value = int(go), int(offers)
            if offers:
                (data, keep, last), begin, count, initial, expected = jobs[position]
                dut.beat_data.value, dut.beat_keep.value, dut.beat_last.value = data, keep, last
                dut.range_start.value, dut.range_length.value, dut.initial_sum.value = begin, count, initial
            await Timer(1, "ns")
            is_due = bool(due) and due[0][0] == enabled
            assert int(dut.sum_valid.value) == is_due
            if is_due:
                assert int(dut.sum.value) == due[0][1]
                assert int(dut.sum_good.value) == (due[0][1] == 0xFFFF)
            if go:
                if is_due:
                    due.pop(0)
                    results += 1
                if offers:
                    if last:
                        due.append((enabled + 5, expected))
                    position += 1
                enabled += 1
            await RisingEdge(dut.clk)
    assert results == 400


@pytest.mark.quick("10-2")
@pytest.mark.parametrize(("words", "levels"), [(1, 1), (10, 2), (32, 3)])
def test_ones_sum(words, levels):
    simulate("ww_ones_sum", {"WORDS": words, "LEVELS": levels}, environment={"MODULE": "ww_ones_sum"})


@pytest.mark.quick("4")
@pytest.mark.parametrize("words", [1, 4])
def test_checksum_update(words):
    simulate("ww_checksum_update", {"WORDS": words}, environment={"MODULE": "ww_checksum_update"})


@pytest.mark.parametrize("width", [64, 512])
def test_axis_checksum(width):
    simulate("ww_axis_checksum", {"WIDTH": width}, environment={"MODULE": "ww_axis_checksum"})


@pytest.mark.parametrize(
    ("module", "parameter"),
    [("ww_ones_sum", {"WORDS": 0}), ("ww_ones_sum", {"LEVELS": 0}), ("ww_checksum_update", {"WORDS": 0}), ("ww_axis_checksum", {"WIDTH": 8})],
)
def test_illegal_parameters_do_not_build(module, parameter):
    with pytest.raises(RuntimeError, match=f"{module}: .* must be"):
        simulate(module, parameter)
