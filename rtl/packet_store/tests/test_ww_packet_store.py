"""ww_packet_store: packets come out as they came in, as often and in the order asked for."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import ClockCycles, Event, ReadOnly, RisingEdge

from testing import (
    Beats,
    Packet,
    parameters,
    pauses,
    random_packet,
    receive,
    simulate,
    sink,
    source,
    start,
)


class Port:
    """Drives a valid/ready port from a queue of settings of its signals."""

    def __init__(self, dut, name, gap=0.0):
        self.dut, self.name, self.gap, self.queue = dut, name, gap, deque()
        self.more = Event()
        getattr(dut, f"{name}_valid").value = 0
        cocotb.start_soon(self._drive())

    def send(self, **signals):
        self.queue.append(signals)
        self.more.set()

    async def _drive(self):
        valid = getattr(self.dut, f"{self.name}_valid")
        ready = getattr(self.dut, f"{self.name}_ready")
        while True:
            if not self.queue:
                valid.value = 0
                self.more.clear()
                await self.more.wait()
                await RisingEdge(self.dut.clk)
            while random.random() < self.gap:
                valid.value = 0
                await RisingEdge(self.dut.clk)
            for signal, value in self.queue.popleft().items():
                getattr(self.dut, f"{self.name}_{signal}").value = value
            valid.value = 1
            while True:
                await ReadOnly()
                taken = ready.value == 1
                await RisingEdge(self.dut.clk)
                if taken:
                    break


async def begin(dut):
    dut.pid_ready.value = dut.rd_valid.value = dut.free_valid.value = 0
    dut.rd_pid.value = dut.rd_free.value = dut.free_pid.value = 0
    output, given = sink(dut), source(dut)
    await start(dut)
    await ClockCycles(dut.clk, parameters()["CELLS"] + 2)
    return output, given


async def pids(dut, gap=0.0):
    """The pids that the store gives, one after another."""
    while True:
        dut.pid_ready.value = random.random() >= gap
        await ReadOnly()
        got = dut.pid_valid.value == 1 and dut.pid_ready.value == 1
        pid = int(dut.pid.value)
        await RisingEdge(dut.clk)
        if got:
            # None is lost while the caller is busy elsewhere.
            dut.pid_ready.value = 0
            yield pid


def longest():
    """Bytes of the longest packet that is not cut."""
    return -(-parameters()["MAX_BYTES"] // parameters()["CELL_BYTES"]) * parameters()["CELL_BYTES"]


async def is_empty(dut):
    await ClockCycles(dut.clk, 10)
    assert int(dut.free_cells.value) == parameters()["CELLS"], "a leak"
    assert int(dut.double_frees.value) == int(dut.bad_pids.value) == 0


@cocotb.test()
async def random_packets(dut):
    """Reads several times or never, in another order, while packets come in."""
    output, given = await begin(dut)
    given.set_pause_generator(pauses(random.random() * 0.5))
    output.set_pause_generator(pauses(random.random() * 0.5))
    reads, frees = Port(dut, "rd", gap=0.2), Port(dut, "free", gap=0.2)
    oversize = 0
    packets = []
    for _ in range(250):
        packet = random_packet(longest() // 2)
        if random.random() < 0.05:
            size = longest() + random.choice([0, 1, 300])
            packet = Packet(random.randbytes(size), random.getrandbits(65))
            oversize += size > longest()
        packets.append(packet)
    expected, held = deque(), []
    arriving = pids(dut, gap=0.3)
    drop = parameters()["DROP_WHEN_FULL"]

    async def send():
        for packet in packets:
            await given.send(packet.frame())
            # A store that drops what does not fit is given what fits.
            while drop and (
                not given.idle()
                or int(dut.free_cells.value) * parameters()["CELL_BYTES"] < 2 * longest()
            ):
                await RisingEdge(dut.clk)

    async def check():
        count = 0
        while True:
            packet = await receive(output)
            assert packet == expected.popleft(), f"read {count}"
            count += 1

    cocotb.start_soon(send())
    checker = cocotb.start_soon(check())
    for number, packet in enumerate(packets):
        if drop and len(packet.data) > longest():
            continue
        packet = Packet(packet.data[: longest()], packet.user)
        held.append((await anext(arriving), packet))
        # Some packets wait for long; a few do not keep the input from going on.
        while held and (len(held) > 4 or random.random() < 0.6):
            pid, packet = held.pop(random.randrange(len(held)))
            copies = random.choice([0, 1, 1, 1, 2, 3])
            for copy in range(copies):
                expected.append(packet)
                reads.send(pid=pid, free=copy == copies - 1)
            if copies == 0:
                frees.send(pid=pid)
            # Neither too many nor too few cells in use.
            while len(expected) > 3:
                await ClockCycles(dut.clk, 10)
    for pid, packet in held:
        expected.append(packet)
        reads.send(pid=pid, free=1)
    while expected or frees.queue:
        await ClockCycles(dut.clk, 10)
    checker.cancel()
    await is_empty(dut)
    assert int(dut.oversize_packets.value) == oversize
    assert int(dut.dropped_packets.value) == 0


@cocotb.test()
async def one_beat_a_clock(dut):
    """Packets of one beat and of a cell and a beat, without a gap at either side."""
    output, given = await begin(dut)
    beat = parameters()["WIDTH"] // 8
    packets = [random_packet(beat) for _ in range(40)]
    if not parameters()["DROP_WHEN_FULL"]:
        # There a pid comes with the end of its packet: short ones wait for the end of a long one.
        packets += [random_packet(parameters()["CELL_BYTES"] + beat) for _ in range(20)]
    arriving, reads = pids(dut), Port(dut, "rd")
    entered, left = Beats(dut, "s_axis"), Beats(dut, "m_axis")
    for packet in packets:
        given.send_nowait(packet.frame())
    await RisingEdge(dut.clk)

    async def ask():
        for _ in packets:
            reads.send(pid=await anext(arriving), free=1)

    cocotb.start_soon(ask())
    for packet in packets:
        assert await receive(output) == packet
    assert entered.one_a_clock() and left.one_a_clock()
    await is_empty(dut)


@cocotb.test()
async def four_clocks_from_input_to_output(dut):
    """The pid port wired to the read port, as a plain FIFO of packets."""
    output, given = await begin(dut)
    entered, left = Beats(dut, "s_axis"), Beats(dut, "m_axis")
    packet = random_packet(longest(), shortest=longest())
    given.send_nowait(packet.frame())
    dut.rd_free.value = 1
    dut.pid_ready.value = 1
    while True:
        await ReadOnly()
        if dut.pid_valid.value == 1:
            break
        await RisingEdge(dut.clk)
    pid = int(dut.pid.value)
    # Between two clock edges: what a wire would do.
    await cocotb.triggers.Timer(1, "ns")
    dut.rd_pid.value, dut.rd_valid.value = pid, 1
    await RisingEdge(dut.clk)
    dut.rd_valid.value = 0
    assert await receive(output) == packet
    first = entered.clocks[-1] if parameters()["DROP_WHEN_FULL"] else entered.clocks[0]
    assert left.clocks[0] - first == 4
    assert left.one_a_clock()


@cocotb.test()
async def says_what_is_coming_in(dut):
    """open_* from the clock after the first beat to that of the last one, end_* with the last one."""
    output, given = await begin(dut)
    given.set_pause_generator(pauses(0.4))
    packets = [random_packet(longest()) for _ in range(30)]
    # Every other packet is of one beat and so never open.
    packets[::2] = [random_packet(parameters()["WIDTH"] // 8) for _ in packets[::2]]
    opened, ended = [], []

    async def watch():
        is_open = False
        while True:
            await ReadOnly()
            accepted = dut.s_axis_tvalid.value == 1 and dut.s_axis_tready.value == 1
            assert (dut.open_valid.value == 1) == is_open
            if is_open:
                opened.append(int(dut.open_pid.value))
            ends = accepted and dut.s_axis_tlast.value == 1
            assert (dut.end_valid.value == 1) == ends
            if ends:
                ended.append(int(dut.end_pid.value))
                assert not is_open or opened[-1] == ended[-1]
            is_open = (is_open or accepted) and not ends
            await RisingEdge(dut.clk)

    watcher = cocotb.start_soon(watch())
    given_pids, reads = pids(dut), Port(dut, "rd")
    for packet in packets:
        given.send_nowait(packet.frame())
        pid = await anext(given_pids)
        reads.send(pid=pid, free=1)
        assert await receive(output) == packet
        assert ended[-1] == pid
    assert len(ended) == len(packets) and opened
    watcher.cancel()
    await is_empty(dut)


@cocotb.test()
async def full(dut):
    """Packets that are not freed fill the store; then it waits or drops, as asked."""
    output, given = await begin(dut)
    cells, drop = parameters()["CELLS"], parameters()["DROP_WHEN_FULL"]
    count = 2 * cells
    packets = [random_packet(parameters()["CELL_BYTES"] * 2) for _ in range(count)]
    entered = Beats(dut, "s_axis")
    for packet in packets:
        given.send_nowait(packet.frame())
    got = []
    arriving = pids(dut)

    async def collect():
        async for pid in arriving:
            got.append(pid)

    collector = cocotb.start_soon(collect())
    await ClockCycles(dut.clk, count * (parameters()["CELL_BYTES"] * 16 // parameters()["WIDTH"] + 2))
    used = sum(-(-len(packets[n].data) // parameters()["CELL_BYTES"]) for n in range(len(got)))
    reads = Port(dut, "rd")
    if drop:
        assert given.empty()
        assert int(dut.dropped_packets.value) == count - len(got) > 0
        for pid in got:
            reads.send(pid=pid, free=1)
        kept = iter(packets)
        for _ in range(len(got)):
            # What comes out is a part of what came in, in its order.
            packet = await receive(output)
            assert packet in kept
    else:
        assert cells - used == int(dut.free_cells.value) < -(-longest() // parameters()["CELL_BYTES"])
        stopped = len(entered.clocks)
        await ClockCycles(dut.clk, 50)
        assert len(entered.clocks) == stopped
        for number, packet in enumerate(packets):
            while len(got) <= number:
                await RisingEdge(dut.clk)
            reads.send(pid=got[number], free=1)
            assert await receive(output) == packet
        assert int(dut.dropped_packets.value) == 0
    collector.cancel()
    await is_empty(dut)


@cocotb.test()
async def wrong_pids(dut):
    output, given = await begin(dut)
    packet = random_packet(min(100, longest()))
    given.send_nowait(packet.frame())
    pid = await anext(pids(dut))
    reads, frees = Port(dut, "rd"), Port(dut, "free")
    other = (pid + 1) % parameters()["CELLS"]
    reads.send(pid=other, free=1)
    reads.send(pid=pid, free=1)
    assert await receive(output) == packet
    await ClockCycles(dut.clk, 5)
    frees.send(pid=pid)
    frees.send(pid=other)
    await ClockCycles(dut.clk, 10)
    assert (int(dut.double_frees.value), int(dut.bad_pids.value)) == (1, 2)
    assert int(dut.free_cells.value) == parameters()["CELLS"]
    assert output.empty()


STORES = [
    {"WIDTH": 128, "CELLS": 64, "CELL_BYTES": 64, "MAX_BYTES": 600, "DROP_WHEN_FULL": 0},
    {"WIDTH": 512, "CELLS": 40, "CELL_BYTES": 256, "MAX_BYTES": 2048, "DROP_WHEN_FULL": 0},
    {"WIDTH": 64, "CELLS": 64, "CELL_BYTES": 64, "MAX_BYTES": 512, "DROP_WHEN_FULL": 1},
    {"WIDTH": 64, "CELLS": 64, "CELL_BYTES": 8, "MAX_BYTES": 64, "DROP_WHEN_FULL": 0},
]


@pytest.mark.parametrize("store", STORES)
def test_packet_store(store):
    simulate("ww_packet_store", {**store, "USER_WIDTH": 65})
