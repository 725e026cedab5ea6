"""ww_lane_lengths: every question is answered with its packet's bytes, in order, when they are known."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import ReadOnly, RisingEdge

from testing import parameters, simulate, start


class Lane:
    """The packets of a lane: those that may be asked about, the newest last, and which is coming in."""

    def __init__(self, packets: int):
        self.packets = packets
        self.next_number = 0
        # Number and bytes of the packets, and whether they are complete.
        self.alive = deque()
        self.coming, self.left = None, 0

    def step(self, arrive: float, most_clocks: int):
        """One clock: whether a packet was inside, and the bytes of one that ends, or None."""
        inside = self.coming is not None
        if inside:
            self.left -= 1
        elif random.random() < arrive:
            if len(self.alive) == self.packets:
                self.alive.popleft()
            self.coming = [self.next_number, random.getrandbits(16), False]
            self.next_number = (self.next_number + 1) % self.packets
            self.alive.append(self.coming)
            self.left = random.choice([0, 0, 1, random.randrange(most_clocks)])
        if self.coming is None or self.left > 0:
            return inside, None
        packet, self.coming = self.coming, None
        return inside, packet


async def run(dut, clocks: int, most_clocks: int, ask: float, arrive: float) -> None:
    """Compares with a list of questions, which holds the packets themselves."""
    lanes = [Lane(parameters()["PACKETS"]) for _ in range(parameters()["LANES"])]
    questions = deque()
    answers, waited, open_ones, full = 0, 0, 0, 0
    for name in ("begun", "end_valid", "end_bytes", "ask_valid", "ask_lane", "ask_number"):
        getattr(dut, name).value = 0
    await start(dut)
    for clock in range(clocks):
        # Packets that began in an earlier clock can be asked about.
        known = [list(lane.alive) for lane in lanes]
        steps = [lane.step(arrive if clock < clocks - 3000 else 0, most_clocks) for lane in lanes]
        dut.begun.value = sum(inside << n for n, (inside, _) in enumerate(steps))
        dut.end_valid.value = sum((packet is not None) << n for n, (_, packet) in enumerate(steps))
        dut.end_bytes.value = sum(
            (packet[1] if packet else random.getrandbits(16)) << 16 * n
            for n, (_, packet) in enumerate(steps)
        )
        # What was freed in this clock for a new packet is not asked about.
        choices = [
            (n, packet)
            for n, packets in enumerate(known)
            for packet in (packets[-1:] if random.random() < 0.6 else packets)
            if any(packet is alive for alive in lanes[n].alive)
        ]
        asks = bool(choices) and random.random() < ask
        lane, packet = random.choice(choices) if asks else (0, [0, 0, True])
        dut.ask_valid.value, dut.ask_lane.value, dut.ask_number.value = asks, lane, packet[0]
        await ReadOnly()
        assert (dut.waiting.value == 1) == bool(questions), f"clock {clock}"
        if dut.length_valid.value == 1:
            asked = questions.popleft()
            assert asked[2], f"clock {clock}: answered before the end"
            assert int(dut.length_bytes.value) == asked[1], f"clock {clock}"
            answers += 1
        else:
            assert not questions or not questions[0][2], f"clock {clock}: what is known waits"
            waited += bool(questions)
        if asks and dut.ask_ready.value == 1:
            questions.append(packet)
            open_ones += not packet[2]
        elif asks:
            assert len(questions) >= parameters()["DEPTH"] - 1
            full += 1
        for _, packet in steps:
            if packet:
                packet[2] = True
        await RisingEdge(dut.clk)
    assert not any(not asked[2] for asked in questions)
    assert answers > clocks // 20 and waited > 0 and open_ones > clocks // 100
    return full


@cocotb.test()
async def long_packets(dut):
    await run(dut, 8000, most_clocks=60, ask=0.4, arrive=0.7)


@cocotb.test()
async def short_packets(dut):
    await run(dut, 8000, most_clocks=3, ask=0.9, arrive=1.0)


@cocotb.test()
async def more_questions_than_room(dut):
    assert await run(dut, 8000, most_clocks=200, ask=1.0, arrive=0.9) > 0


@pytest.mark.parametrize(
    "sizes",
    [{"LANES": 4, "PACKETS": 16, "DEPTH": 64}, {"LANES": 1, "PACKETS": 2, "DEPTH": 2}, {"LANES": 3, "PACKETS": 2, "DEPTH": 5}],
)
def test_lane_lengths(sizes):
    simulate("ww_lane_lengths", sizes)
