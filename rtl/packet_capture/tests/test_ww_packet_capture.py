"""ww_packet_capture: stores whole packets and counts all."""

import cocotb
from cocotb.triggers import ClockCycles

from testing import Packet, RowPort, parameters, pauses, random_packet, simulate, source, start


async def captured(rows):
    """What is in the memory, packet by packet."""
    width = parameters()["WIDTH"] // 8
    packets, data, users = [], b"", set()
    for index in range(await rows.read(2, 2)):
        row, user = await rows.read(0, index), await rows.read(1, index)
        keep = row >> (8 * width) & (1 << width) - 1
        assert bool(row >> (9 * width) & 1) == (data == b""), "sop"
        data += row.to_bytes(9 * width + 1, "little")[: keep.bit_length()]
        users.add(user)
        if row >> (9 * width + 1):
            assert len(users) == 1
            packets.append(Packet(data, users.pop()))
            data = b""
    assert data == b""
    return packets


async def begin(dut):
    rows, given = RowPort(dut), source(dut)
    await start(dut)
    return rows, given


async def send(dut, given, packets):
    for packet in packets:
        given.send_nowait(packet.frame())
    await given.wait()
    await ClockCycles(dut.clk, 3)


@cocotb.test()
async def stores_as_many_as_asked(dut):
    rows, given = await begin(dut)
    given.set_pause_generator(pauses(0.3))
    packets = [random_packet(100) for _ in range(12)]
    await send(dut, given, packets[:2])
    assert await rows.read(2, 2) == 0
    await rows.write(2, 0, 7)
    assert await rows.read(2, 0) == 1
    await send(dut, given, packets[2:])
    assert await rows.read(2, 0) == 0
    assert await rows.read(2, 1) == await rows.read(2, 3) == 7
    assert await rows.read(2, 4) == sum(len(packet.data) for packet in packets[2:9])
    assert await rows.read(2, 5) == 0
    assert await captured(rows) == packets[2:9]
    assert await rows.read(0, parameters()["DEPTH"] + 5) == 0


@cocotb.test()
async def goes_on_counting_when_full(dut):
    rows, given = await begin(dut)
    depth, width = parameters()["DEPTH"], parameters()["WIDTH"] // 8
    await rows.write(2, 0, 0)
    packets = [random_packet(200) for _ in range(60)]
    await send(dut, given, packets)
    kept, used = [], 0
    for packet in packets:
        beats = -(-len(packet.data) // width)
        if used + beats <= depth:
            kept.append(packet)
            used += beats
    assert 0 < len(kept) < len(packets)
    assert await captured(rows) == kept
    assert await rows.read(2, 0) == 1
    assert await rows.read(2, 3) == len(packets)
    assert await rows.read(2, 4) == sum(len(packet.data) for packet in packets)
    assert await rows.read(2, 5) == len(packets) - len(kept)
    await rows.write(2, 1, 0)
    assert await rows.read(2, 0) == 0
    await send(dut, given, packets[:3])
    assert await rows.read(2, 3) == len(packets)


@cocotb.test()
async def begins_and_ends_between_packets(dut):
    """Started within a packet, it waits for the next one; stopped within one, it does not store it."""
    rows, given = await begin(dut)
    long = [random_packet(300, shortest=300) for _ in range(3)]
    for packet in long:
        given.send_nowait(packet.frame())
    width = parameters()["WIDTH"] // 8
    await ClockCycles(dut.clk, 150 // width)
    await rows.write(2, 0, 0)
    await ClockCycles(dut.clk, 600 // width)
    await rows.write(2, 1, 0)
    await given.wait()
    assert await captured(rows) == long[1:2]


def test_packet_capture():
    simulate("ww_packet_capture", {"WIDTH": 128, "USER_WIDTH": 65, "DEPTH": 90})
