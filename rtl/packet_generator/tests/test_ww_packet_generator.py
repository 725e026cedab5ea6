"""ww_packet_generator: plays what was loaded, as often and as fast as asked."""

import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotb.utils import get_sim_time

from testing import (
    PERIOD_NS,
    Beats,
    RowPort,
    parameters,
    pauses,
    random_packet,
    receive,
    simulate,
    sink,
    start,
)

PORT = 0x1234


def rows_of(packets):
    """The rows of memory 0 that play these packets."""
    width = parameters()["WIDTH"] // 8
    rows = []
    for packet in packets:
        for begin in range(0, len(packet), width):
            part = packet[begin : begin + width]
            sop, eop = begin == 0, begin + width >= len(packet)
            keep = (1 << len(part)) - 1
            rows.append(
                int.from_bytes(part, "little")
                | keep << (8 * width)
                | sop << (9 * width)
                | eop << (9 * width + 1)
            )
    return rows


async def begin(dut, packets):
    dut.port.value = PORT
    dut.now.value = 7
    rows, output = RowPort(dut), sink(dut)
    await start(dut)
    content = rows_of(packets)
    for index, row in enumerate(content):
        await rows.write(0, index, row)
    return rows, output, content


def command(turns, gap, rows):
    return turns | int(gap * 256) << 32 | rows << 56


@cocotb.test()
async def plays_packets(dut):
    packets = [random_packet(150).data for _ in range(6)]
    rows, output, content = await begin(dut, packets)
    for index in (0, len(content) - 1):
        assert await rows.read(0, index) == content[index]
    assert await rows.read(0, parameters()["DEPTH"]) == 0
    output.set_pause_generator(pauses(0.4))
    await rows.write(1, 0, command(5, 0, len(content)))
    assert await rows.read(1, 0) == 1
    for _ in range(5):
        for packet in packets:
            received = await receive(output)
            assert received.data == packet
            assert received.user == 7 << 17 | PORT << 1
    await ClockCycles(dut.clk, 20)
    assert output.empty()
    assert await rows.read(1, 0) == 0
    assert await rows.read(1, 1) == 5 * len(packets)
    assert await rows.read(1, 2) == 5 * len(content)
    assert await rows.read(0, 1) == content[1]


@cocotb.test()
async def keeps_its_rate(dut):
    """Without a gap one beat a clock; with a gap of 5.25 clocks exactly that on average."""
    packets = [random_packet(100).data for _ in range(4)]
    rows, output, content = await begin(dut, packets)
    for gap in (0, 1, 5.25):
        left = Beats(dut, "m_axis")
        # The start is seen at the next edge, the first beat taken three clocks later.
        seen = int(get_sim_time("ns")) // PERIOD_NS + 1
        await rows.write(1, 0, command(10, gap, len(content)))
        for _ in range(10 * len(packets)):
            await receive(output)
        assert left.clocks[0] - seen == 3
        clocks = left.clocks[-1] - left.clocks[0] + 1
        assert clocks == len(left.clocks) + int((10 * len(packets) - 1) * gap)


@cocotb.test()
async def stops_at_the_end_of_a_packet(dut):
    packets = [random_packet(200).data for _ in range(5)]
    rows, output, content = await begin(dut, packets)
    for gap in (0, 40):
        await rows.write(1, 0, command(0, gap, len(content)))
        await ClockCycles(dut.clk, random.randint(200, 400))
        await rows.write(1, 1, 0)
        await ClockCycles(dut.clk, 60)
        assert await rows.read(1, 0) == 0
        sent = await rows.read(1, 1)
        assert sent > 3
        for number in range(sent):
            assert output.empty() is False
            assert (await receive(output)).data == packets[number % len(packets)]
        assert output.empty()


@cocotb.test()
async def time_of_the_first_beat(dut):
    rows, output, content = await begin(dut, [bytes(range(200))])

    async def count():
        now = 0
        while True:
            dut.now.value = now
            now += 1
            await RisingEdge(dut.clk)

    cocotb.start_soon(count())
    await rows.write(1, 0, command(3, 10, len(content)))
    times = [(await receive(output)).user >> 17 for _ in range(3)]
    assert [later - times[0] for later in times] == [0, len(content) + 10, 2 * (len(content) + 10)]


def test_packet_generator():
    simulate("ww_packet_generator", {"WIDTH": 64, "DEPTH": 200})
