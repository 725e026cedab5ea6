"""ww_output_queue: takes a beat every clock and drops whole packets that find no room."""

import random

import cocotb
import pytest
from cocotb.triggers import ClockCycles, RisingEdge
from cocotb.utils import get_sim_time

from testing import Beats, parameters, pauses, random_packet, receive, simulate, sink, start


async def offer(dut, packets, gap):
    """Sends packets without asking. Returns which were dropped, which should have been, and the clock of
    the first beat."""
    size, beats = parameters()["WIDTH"] // 8, parameters()["BEATS"]
    longest = -(-parameters()["MAX_BYTES"] // size)
    lost, full, inside, first = [], [], 0, None
    for number, packet in enumerate(packets):
        for at in range(0, len(packet.data), size):
            waits = 0
            while random.random() < gap:
                waits += 1
            part = packet.data[at : at + size]
            for wait in range(waits + 1):
                dut.s_axis_tvalid.value = wait == waits
                dut.s_axis_tdata.value = int.from_bytes(part, "little")
                dut.s_axis_tkeep.value = (1 << len(part)) - 1
                dut.s_axis_tlast.value = at + size >= len(packet.data)
                dut.s_axis_tuser.value = packet.user
                await RisingEdge(dut.clk)
                if wait == waits:
                    first = first or int(get_sim_time("ns")) // 10
                    if at == 0 and inside > beats - longest:
                        full.append(number)
                    if dut.lost.value == 1:
                        assert at == 0, "a packet is lost as a whole"
                        lost.append(number)
                    inside += number not in full
                inside -= dut.m_axis_tvalid.value == 1 and dut.m_axis_tready.value == 1
    dut.s_axis_tvalid.value = 0
    return lost, full, first


@cocotb.test()
async def drops_whole_packets(dut):
    """By a count of beats: a packet is dropped exactly if the longest would find no room."""
    dut.s_axis_tvalid.value = 0
    output = sink(dut)
    output.set_pause_generator(pauses(0.6))
    packets = [random_packet(parameters()["MAX_BYTES"]) for _ in range(400)]
    await start(dut)
    lost, full, _ = await offer(dut, packets, 0.15)
    assert lost == full and 20 < len(lost) < 380
    for number, packet in enumerate(packets):
        if number not in lost:
            assert await receive(output) == packet, f"packet {number}"
    await ClockCycles(dut.clk, 10)
    assert dut.empty.value == 1 and output.empty()


@cocotb.test()
async def passes_in_two_clocks(dut):
    dut.s_axis_tvalid.value = 0
    output = sink(dut)
    packets = [random_packet(parameters()["MAX_BYTES"]) for _ in range(50)]
    left = Beats(dut, "m_axis")
    await start(dut)
    lost, _, first = await offer(dut, packets, 0)
    for packet in packets:
        assert await receive(output) == packet
    assert not lost and left.one_a_clock() and left.clocks[0] - first == 2


@pytest.mark.parametrize("width", [64, 512])
def test_output_queue(width):
    simulate("ww_output_queue", {"WIDTH": width, "USER_WIDTH": 65, "BEATS": 40, "MAX_BYTES": width})
