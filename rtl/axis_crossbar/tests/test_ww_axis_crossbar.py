"""ww_axis_crossbar of eight ports: each packet leaves where it should, in order, at full rate."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import ClockCycles

from testing import Beats, Packet, pauses, random_packet, receive, simulate, sink, source, start

PORTS = 8
STAGES = 3


def packet_from(port, longest=150):
    """A random packet whose lowest bits of tuser tell its input."""
    made = random_packet(longest)
    return Packet(made.data, made.user & ~7 | port)


@cocotb.test()
async def every_packet_at_its_output(dut):
    inputs = [source(dut, f"s{port}_axis") for port in range(PORTS)]
    outputs = [sink(dut, f"m{port}_axis") for port in range(PORTS)]
    for stream in [*inputs, *outputs]:
        stream.set_pause_generator(pauses(random.random() * 0.6))
    await start(dut)
    # By input and output.
    expected = [[deque() for _ in range(PORTS)] for _ in range(PORTS)]
    for port, given in enumerate(inputs):
        for _ in range(30):
            dest, packet = random.randrange(PORTS), packet_from(port)
            expected[port][dest].append(packet)
            given.send_nowait(packet.frame(tdest=dest))

    async def check(dest):
        while any(expected[port][dest] for port in range(PORTS)):
            packet = await receive(outputs[dest])
            assert packet == expected[packet.user & 7][dest].popleft()

    checks = [cocotb.start_soon(check(dest)) for dest in range(PORTS)]
    for task in checks:
        await task
    await ClockCycles(dut.clk, 20)
    assert all(output.empty() for output in outputs)


@cocotb.test()
async def full_rate_on_all_ports(dut):
    """Shifts by a constant pass a butterfly without conflict: one beat a clock on each port."""
    inputs = [source(dut, f"s{port}_axis") for port in range(PORTS)]
    outputs = [sink(dut, f"m{port}_axis") for port in range(PORTS)]
    await start(dut)
    for shift in (0, 3):
        entered = [Beats(dut, f"s{port}_axis") for port in range(PORTS)]
        left = [Beats(dut, f"m{port}_axis") for port in range(PORTS)]
        for port, given in enumerate(inputs):
            for _ in range(10):
                given.send_nowait(packet_from(port).frame(tdest=(port + shift) % PORTS))
        for port in range(PORTS):
            for _ in range(10):
                packet = await receive(outputs[port])
                assert packet.user & 7 == (port - shift) % PORTS
        assert all(beats.one_a_clock() for beats in [*entered, *left])
        assert left[0].clocks[0] - min(beats.clocks[0] for beats in entered) == STAGES


@pytest.mark.parametrize("width", [64])
def test_axis_crossbar(width):
    simulate("crossbar_bench", {"WIDTH": width, "USER_WIDTH": 65})
