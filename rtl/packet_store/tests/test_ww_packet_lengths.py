"""ww_packet_lengths: every question is answered with its packet's bytes, in order, when they are known."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge

from testing import parameters, simulate, start


class Packets:
    """Packets that come in one after another, and what is asked about them."""

    def __init__(self, most_clocks: int):
        self.most_clocks = most_clocks
        # The open packet: its pid, its bytes and the clocks until its end.
        self.pid, self.bytes, self.left = None, 0, 0
        # Bytes of the last complete packet of each pid.
        self.complete = {}

    def begin(self, pid: int) -> None:
        self.pid, self.bytes = pid, random.getrandbits(16)
        self.left = random.choice([0, 0, 1, random.randrange(self.most_clocks)])


async def run(dut, clocks: int, most_clocks: int, ask: float, arrive: float, pids: int) -> None:
    """Compares with a list of questions; the packets are those of the store's own rules."""
    packets = Packets(most_clocks)
    # Of each question: the packet's bytes, and whether they are known.
    questions = deque()
    answers, waited = 0, 0
    dut.end_valid.value = dut.ask_valid.value = 0
    dut.end_pid.value = dut.end_bytes.value = dut.ask_pid.value = dut.ask_open.value = 0
    await start(dut)
    for clock in range(clocks):
        # The store's registers know of a packet one clock after its first beat.
        open_pid = packets.pid
        if packets.pid is None and random.random() < arrive:
            packets.begin(random.randrange(pids))
        elif packets.pid is not None:
            packets.left -= 1
        ends = packets.pid is not None and packets.left <= 0
        dut.end_valid.value = ends
        dut.end_pid.value = random.randrange(pids) if packets.pid is None else packets.pid
        dut.end_bytes.value = packets.bytes if ends else random.getrandbits(16)
        known = [pid for pid in packets.complete if pid != open_pid]
        choices = ([open_pid] if open_pid is not None else []) + known
        asks = bool(choices) and random.random() < ask and clock < clocks - most_clocks - 50
        pid = random.choice(choices[:2] if random.random() < 0.5 else choices) if asks else 0
        is_open = asks and pid == open_pid
        dut.ask_valid.value, dut.ask_pid.value, dut.ask_open.value = asks, pid, is_open
        await ReadOnly()
        if dut.length_valid.value == 1:
            bytes_of, is_known = questions.popleft()
            assert is_known, f"clock {clock}: answered before the end"
            assert int(dut.length_bytes.value) == bytes_of, f"clock {clock}"
            answers += 1
        else:
            # What is known is not kept waiting.
            assert not questions or not questions[0][1], f"clock {clock}"
            waited += bool(questions)
        if asks and dut.ask_ready.value == 1:
            questions.append((packets.bytes if is_open else packets.complete[pid], not is_open))
        else:
            assert not asks or len(questions) >= parameters()["DEPTH"] - 1
        if ends:
            packets.complete[packets.pid] = packets.bytes
            packets.pid = None
            questions = deque((bytes_of, True) for bytes_of, _ in questions)
        await RisingEdge(dut.clk)
    assert not questions and answers > clocks // 20
    assert waited > 0


@cocotb.test()
async def long_packets(dut):
    await run(dut, 5000, most_clocks=60, ask=0.4, arrive=0.7, pids=parameters()["CELLS"])


@cocotb.test()
async def short_packets(dut):
    await run(dut, 5000, most_clocks=3, ask=0.9, arrive=1.0, pids=parameters()["CELLS"])


@cocotb.test()
async def the_same_pids_again(dut):
    await run(dut, 5000, most_clocks=12, ask=0.9, arrive=1.0, pids=2)


@pytest.mark.parametrize("lengths", [{"CELLS": 256, "DEPTH": 16}, {"CELLS": 5, "DEPTH": 2}])
def test_packet_lengths(lengths):
    simulate("ww_packet_lengths", lengths)
