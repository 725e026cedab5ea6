"""The published hierarchy with a few nodes and flows: bytes counted over time, against what limits and shares say; and
what the ports promise.

The choices themselves are compared with those of the scheduler in Rust by crates/rtl/tests/all/two_level.

spec: 004-pieo-shoal 8, checks 13 and 14
"""

from collections import Counter, deque

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from testing import parameters, simulate, start

# Picoseconds: a clock, a byte at 10 Gb/s.
CLOCK = 4000
BYTE = 800
# Fraction bits of paces and of tags.
PACE, TAG = 16, 8


async def begin(dut, limits, burst, weights):
    """Limits in picoseconds a byte; weights of the flows of every node. Starts the wall clock."""
    for name in ("enq_valid", "dep_ready", "root_cfg_valid", "leaf_cfg_valid", "now"):
        getattr(dut, name).value = 0
    await start(dut)
    cocotb.start_soon(wall_clock(dut))
    low = (parameters()["FLOWS"] - 1).bit_length()
    for node, limit in enumerate(limits):
        pace = limit << PACE
        await configure(dut, "root", child=node, pace=pace, burst=burst * pace >> (PACE - TAG))
        await configure(dut, "leaf", is_node=1, index=node, pace=pace)
        for flow, weight in enumerate(weights):
            share = pace * sum(weights) // weight
            await configure(dut, "leaf", is_node=0, index=node << low | flow, pace=share)


async def wall_clock(dut):
    now = 0
    while True:
        await FallingEdge(dut.clk)
        now += CLOCK
        dut.now.value = now


async def configure(dut, level, **fields):
    for name, value in fields.items():
        getattr(dut, f"{level}_cfg_{name}").value = value
    valid, ready = getattr(dut, f"{level}_cfg_valid"), getattr(dut, f"{level}_cfg_ready")
    valid.value = 1
    while True:
        await RisingEdge(dut.clk)
        if ready.value:
            break
    valid.value = 0


async def offer(dut, node, flow, length, handle=0):
    """A packet comes."""
    for name, value in dict(node=node, flow=flow, length=length, handle=handle).items():
        getattr(dut, f"enq_{name}").value = value
    dut.enq_valid.value = 1
    while True:
        await RisingEdge(dut.clk)
        if dut.enq_ready.value:
            break
    dut.enq_valid.value = 0


async def depart(dut):
    """The packet that leaves: node, flow, length, handle, time."""
    dut.dep_ready.value = 1
    while True:
        await RisingEdge(dut.clk)
        if dut.dep_valid.value:
            break
    dut.dep_ready.value = 0
    return tuple(int(getattr(dut, f"dep_{name}").value) for name in ("node", "flow", "length", "handle", "time"))


async def serve(dut, arrivals, until):
    """A link of 10 Gb/s until a time. Each packet that leaves is followed by another one of its flow. What left."""
    waiting, left = deque(arrivals), []

    async def feed():
        while True:
            if waiting:
                await offer(dut, *waiting.popleft())
            else:
                await RisingEdge(dut.clk)

    feeder = cocotb.start_soon(feed())
    while int(dut.now.value) < until:
        packet = await depart(dut)
        left.append(packet)
        waiting.append(packet[:3])
        free = int(dut.now.value) + packet[2] * BYTE
        while int(dut.now.value) < free:
            await RisingEdge(dut.clk)
    feeder.cancel()
    return left


@cocotb.test()
async def limits_and_shares(dut):
    """Nodes of 1, 2 and 4 Gb/s, weights 1, 2, 3, mixed lengths, all backlogged."""
    limits, weights = (8000, 4000, 2000), (1, 2, 3)
    await begin(dut, limits, 3000, weights)
    lengths = (200, 700, 1500)
    nodes, flows = range(len(limits)), range(len(weights))
    arrivals = [(node, flow, lengths[(node + flow) % 3]) for _ in range(3) for node in nodes for flow in flows]
    left = await serve(dut, arrivals, 400_000_000)
    first, last = left[0][4], left[-1][4]
    for node, limit in enumerate(limits):
        mine = [packet for packet in left if packet[0] == node]
        total = sum(packet[2] for packet in mine)
        # Never more than the limit and the burst, and a packet; not less than the limit, but for a packet.
        assert total <= (last - first) / limit + 3000 + 1500, node
        assert total >= (last - first) / limit - 1500, node
        sums = Counter()
        for _, flow, length, _, _ in mine:
            sums[flow] += length
        for flow, weight in enumerate(weights):
            assert abs(sums[flow] - total * weight / sum(weights)) <= 2 * 1500, (node, sums)


@cocotb.test()
async def order_and_drops(dut):
    """Packets of a flow leave in order. A full queue, an empty packet and an unknown flow are counted."""
    await begin(dut, (800, 800, 800), 3000, (1, 1, 1))
    depth = parameters()["DEPTH"]
    for handle in range(depth + 2):
        await offer(dut, 1, 2, 100 + handle, handle)
    await offer(dut, 0, 0, 0)
    await offer(dut, 3, 0, 100)
    await offer(dut, 0, 3, 100)
    for handle in range(depth):
        assert (await depart(dut))[:4] == (1, 2, 100 + handle, handle)
    assert int(dut.dropped_packets.value) == 2
    assert int(dut.invalid_packets.value) == 3
    # Nobody is left, though the link would take more.
    dut.dep_ready.value = 1
    await RisingEdge(dut.clk)
    for _ in range(100):
        await RisingEdge(dut.clk)
        assert not dut.dep_valid.value and not dut.attempt.value
    assert dut.idle.value


@cocotb.test()
async def nothing_before_its_time(dut):
    """The third packet of a burst of two waits for tokens, 100 bytes at 8 ns each."""
    await begin(dut, (8000, 8000, 8000), 200, (1, 1, 1))
    for handle in range(3):
        await offer(dut, 2, 1, 100, handle)
    times = [(await depart(dut))[4] for _ in range(3)]
    # The bucket was full, 200 bytes, when the first packet came, some clocks before its choice began; the third one has
    # to wait for the 100 bytes that are missing, which come in 800 ns.
    assert times[1] - times[0] < 100 * CLOCK
    assert 700_000 <= times[2] - times[0] <= 800_000 + 64 * CLOCK


def test_published_hierarchy():
    simulate("ww_scheduler_token_bucket_wf2q", {"NODES": 3, "FLOWS": 3, "DEPTH": 4}, optimize=True)
