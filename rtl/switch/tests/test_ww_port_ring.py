"""ww_port_ring and ww_port_fetch: packets of two ports, read by two outputs in any order and number."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from testing import Beats, parameters, pauses, random_packet, simulate, sink, source, start

STREAMS = range(2)


def field(signal, place: int, width: int) -> int:
    return int(signal.value) >> place * width & (1 << width) - 1


class Books:
    """Takes packets as they come, has outputs read them and frees them when nobody needs them."""

    def __init__(self, dut, packets, readers):
        """`readers(stream, n)` is the list of outputs that read packet n of a stream."""
        self.dut, self.readers = dut, readers
        self.number = (parameters()["PACKETS"] - 1).bit_length()
        self.at = (parameters()["BEATS"] - 1).bit_length()
        self.waiting = [deque(), deque()]  # what each output is to read: (stream, number, place)
        self.expected = [[], []]
        self.needed = {}  # readers that have not finished, by stream and number
        self.free = [deque(), deque()]
        self.packets = packets
        self.begun = [0, 0]
        self.seen = [0, 0]
        self.in_packet = [False, False]
        for signal in (dut.take, dut.free_valid, dut.get_valid):
            signal.value = 0
        dut.finish_ready.value = 3

    async def run(self, slow: float):
        dut = self.dut
        while True:
            take = get = free = numbers = places = frees = inputs = 0
            taken = []
            for n in STREAMS:
                if self.begun[n] < self.seen[n] and random.random() >= slow:
                    take |= 1 << n
                if self.free[n] and random.random() >= slow:
                    free |= 1 << n
                    frees |= self.free[n].popleft() << n * self.number
                if self.waiting[n]:
                    stream, number, place = self.waiting[n][0]
                    get |= 1 << n
                    inputs |= stream << n
                    numbers |= number << n * self.number
                    places |= place << n * self.at
            for n in STREAMS:
                if take >> n & 1:
                    taken.append((n, field(dut.number, n, self.number), field(dut.at, n, self.at)))
            dut.take.value, dut.free_valid.value, dut.free_number.value = take, free, frees
            dut.get_valid.value, dut.get_input.value = get, inputs
            dut.get_number.value, dut.get_at.value = numbers, places
            dut.finish_ready.value = 3 if slow == 0 else random.getrandbits(2)
            await RisingEdge(dut.clk)
            for n in STREAMS:
                if get >> n & int(dut.get_ready.value) >> n & 1:
                    self.waiting[n].popleft()
                if int(dut.finish_valid.value) & int(dut.finish_ready.value) >> 0 & 1 << n:
                    stream, number = field(dut.finish_input, n, 1), field(dut.finish_number, n, self.number)
                    key = stream, number
                    self.needed[key].remove(n)
                    if not self.needed[key]:
                        self.free[stream].append(number)
                beat = getattr(dut, f"s{n}_axis_tvalid").value == 1 == getattr(dut, f"s{n}_axis_tready").value
                if beat:
                    self.seen[n] += not self.in_packet[n]
                    self.in_packet[n] = getattr(dut, f"s{n}_axis_tlast").value != 1
            for stream, number, place in taken:
                packet = self.packets[stream][self.begun[stream]]
                outputs = self.readers(stream, self.begun[stream])
                self.begun[stream] += 1
                self.needed[stream, number] = list(outputs)
                if not outputs:
                    self.free[stream].append(number)
                for output in outputs:
                    self.waiting[output].append((stream, number, place))
                    self.expected[output].append(packet)
            # What the clock changed is to be seen in the next round.
            await Timer(1, "ns")


async def play(dut, packets, readers, slow, stop):
    limit = parameters()["MAX_BYTES"]
    beat = parameters()["WIDTH"] // 8
    cut = -(-limit // beat) * beat
    inputs = [source(dut, f"s{n}_axis") for n in STREAMS]
    outputs = [sink(dut, f"m{n}_axis") for n in STREAMS]
    books = Books(dut, packets, readers)
    await start(dut)
    cocotb.start_soon(books.run(slow))
    for n in STREAMS:
        if stop:
            inputs[n].set_pause_generator(pauses(stop))
            outputs[n].set_pause_generator(pauses(stop))
        for packet in packets[n]:
            inputs[n].send_nowait(bytearray(packet))
    total = [sum(readers(s, k).count(n) for s in STREAMS for k in range(len(packets[s]))) for n in STREAMS]
    for n in STREAMS:
        for k in range(total[n]):
            got = bytes((await outputs[n].recv()).tdata)
            assert got == books.expected[n][k][:cut], f"output {n}, packet {k}"
    for _ in range(200):
        await RisingEdge(dut.clk)
        if dut.empty.value == 3:
            break
    assert dut.empty.value == 3, "a packet is never freed"
    assert all(output.empty() for output in outputs)
    assert books.begun == [len(packets[s]) for s in STREAMS]


@cocotb.test()
async def any_order_and_number(dut):
    """Random readers: none, one, the other, both or one twice; packets longer than the limit are cut."""
    limit = parameters()["MAX_BYTES"]
    packets = [[random_packet(limit + 40).data for _ in range(250)] for _ in STREAMS]
    choices = [[], [0], [1], [0, 1], [1, 0], [1, 1]]
    chosen = [[random.choice(choices) for _ in packets[s]] for s in STREAMS]
    await play(dut, packets, lambda s, n: chosen[s][n], 0.4, 0.3)


@cocotb.test()
async def every_clock(dut):
    """Both outputs read every packet of input 0 while they come back to back: no clock is lost."""
    beat = parameters()["WIDTH"] // 8
    sizes = [2 * beat, 2 * beat + 1, 3 * beat, 4 * beat - 1]
    packets = [[random.randbytes(random.choice(sizes)) for _ in range(60)], []]
    beats = [Beats(dut, "s0_axis"), Beats(dut, "m0_axis"), Beats(dut, "m1_axis")]
    await play(dut, packets, lambda s, n: [0, 1], 0, 0)
    assert all(row.one_a_clock() for row in beats), [row.clocks[-1] - row.clocks[0] for row in beats]


@pytest.mark.parametrize("width,beats", [(64, 64), (512, 32)])
def test_port_ring(width, beats):
    most = 200 if width == 64 else 400
    simulate("ring_bench", {"WIDTH": width, "BEATS": beats, "PACKETS": 8, "MAX_BYTES": most})
