"""ww_axis_arbiter of three inputs: whole packets, each input's in order, in turn, without gaps."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from testing import Beats, Packet, pauses, random_packet, receive, simulate, sink, source, start

PORTS = 3


def packets_of(port, count, longest):
    """Random packets whose lowest bits of tuser tell their input."""
    made = [random_packet(longest) for _ in range(count)]
    return [Packet(packet.data, packet.user & ~3 | port) for packet in made]


@cocotb.test()
async def whole_packets_in_order(dut):
    output = sink(dut)
    inputs = [source(dut, f"s{port}_axis") for port in range(PORTS)]
    output.set_pause_generator(pauses(random.random() * 0.6))
    for given in inputs:
        given.set_pause_generator(pauses(random.random() * 0.8))
    await start(dut)
    expected = [deque(packets_of(port, 60, 200)) for port in range(PORTS)]
    for given, packets in zip(inputs, expected):
        for packet in packets:
            given.send_nowait(packet.frame())
    while any(expected):
        packet = await receive(output)
        assert packet == expected[packet.user & 3].popleft()
    await ClockCycles(dut.clk, 10)
    assert output.empty()


@cocotb.test()
async def in_turn_one_beat_a_clock(dut):
    output = sink(dut)
    inputs = [source(dut, f"s{port}_axis") for port in range(PORTS)]
    left = Beats(dut, "m_axis")
    await start(dut)
    for port, given in enumerate(inputs):
        for packet in packets_of(port, 20, 100):
            given.send_nowait(packet.frame())
    turns = [(await receive(output)).user & 3 for _ in range(20 * PORTS)]
    assert left.one_a_clock()
    first = turns[0]
    assert turns == [(first + turn) % PORTS for turn in range(20 * PORTS)]


@cocotb.test()
async def one_input_alone(dut):
    """One beat a clock, one clock later, on any input."""
    for port in range(PORTS):
        output, given = sink(dut), source(dut, f"s{port}_axis")
        for other in range(PORTS):
            getattr(dut, f"s{other}_axis_tvalid").value = 0
        entered, left = Beats(dut, f"s{port}_axis"), Beats(dut, "m_axis")
        await start(dut) if port == 0 else await ClockCycles(dut.clk, 5)
        packets = packets_of(port, 10, 100)
        for packet in packets:
            given.send_nowait(packet.frame())
        for packet in packets:
            assert await receive(output) == packet
        assert entered.one_a_clock() and left.one_a_clock()
        assert left.clocks[0] - entered.clocks[0] == 1


@pytest.mark.parametrize("width", [64, 256])
def test_axis_arbiter(width):
    simulate("arbiter_bench", {"WIDTH": width, "USER_WIDTH": 65})
