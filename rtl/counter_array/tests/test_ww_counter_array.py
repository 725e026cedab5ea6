"""ww_counter_array against Python's integers: packets in every clock while the control plane reads."""

import random
from collections import deque

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from testing import parameters, simulate, start


def config(name: str) -> int:
    return parameters().get(name, {"PACKETS": 1, "BYTES": 1, "PACKET_WIDTH": 64, "BYTE_WIDTH": 64}[name])


def row_of(packets: int, size: int) -> int:
    """{bytes, packets} as far as they are counted; counters wrap around."""
    row, shift = 0, 0
    if config("PACKETS"):
        row, shift = packets % 2 ** config("PACKET_WIDTH"), config("PACKET_WIDTH")
    if config("BYTES"):
        row |= size % 2 ** config("BYTE_WIDTH") << shift
    return row


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def counts_every_packet(dut):
    depth = parameters()["DEPTH"]
    counts = [[0, 0] for _ in range(depth)]
    dut.count_valid.value = dut.row_valid.value = 0
    await start(dut)
    # Packets that are not yet in the model: each is in it two clocks after it came.
    under_way = deque([None, None])
    access, reads = None, 0
    for clock in range(6000):
        packet = None
        busy = 0.97 if clock < 3000 else 0.5
        if random.random() < busy and clock < 5000:
            packet = (random.choice([0, random.randrange(depth)]), random.choice([65535, random.randint(0, 9018)]))
            dut.count_index.value, dut.count_bytes.value = packet
        dut.count_valid.value = int(packet is not None)
        if access is None and random.random() < 0.3:
            index = random.randrange(depth)
            # Near the end of the range, so that the counters wrap around.
            values = [2 ** config("PACKET_WIDTH") - random.randint(1, 5), 2 ** config("BYTE_WIDTH") - random.randint(1, 9999)]
            access = (random.random() < 0.1, index, values)
            dut.row_valid.value, dut.row_write.value, dut.row_memory.value = 1, int(access[0]), 0
            dut.row_index.value, dut.row_wdata.value = index, row_of(*values)
        await Timer(1, "ns")
        finished = bool(dut.row_done.value)
        if finished:
            write, index, values = access
            if write:
                counts[index] = values
            else:
                assert int(dut.row_rdata.value) == row_of(*counts[index])
                reads += 1
        due = under_way.popleft()
        under_way.append(packet)
        if due is not None:
            counts[due[0]][0] += 1
            counts[due[0]][1] += due[1]
        await RisingEdge(dut.clk)
        if finished:
            access = None
            dut.row_valid.value = 0
    assert reads > 100


@pytest.mark.parametrize(
    "parameters",
    [
        {"DEPTH": 7},
        {"DEPTH": 64, "PACKETS": 0, "BYTE_WIDTH": 20},
        {"DEPTH": 1, "BYTES": 0, "PACKET_WIDTH": 3},
    ],
    ids=lambda p: "-".join(f"{k}{v}" for k, v in p.items()),
)
def test_counter_array(parameters):
    simulate("ww_counter_array", parameters)


@pytest.mark.parametrize("parameter", [{"PACKETS": 0, "BYTES": 0}, {"BYTE_WIDTH": 8}, {"PACKET_WIDTH": 0}])
def test_illegal_parameters_do_not_build(parameter):
    with pytest.raises(RuntimeError, match="ww_counter_array: .* must be"):
        simulate("ww_counter_array", parameter)
