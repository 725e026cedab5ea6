"""ww_register_array against a list that is accessed by one packet or row access after another."""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge, Timer

from testing import parameters, simulate, start


class RowAccess:
    """A random row access, held until it is done."""

    def __init__(self, dut, depth: int, width: int):
        self.write = random.random() < 0.5
        self.memory = random.choice([0, 0, 0, 5])
        self.index = random.choice([0, random.randrange(depth), random.randrange(depth + 3)])
        self.data = random.getrandbits(width)
        # Clocks without a packet since it began.
        self.idle = 0
        dut.row_valid.value, dut.row_write.value, dut.row_memory.value = 1, int(self.write), self.memory
        dut.row_index.value, dut.row_wdata.value = self.index, self.data

    def apply(self, model: list[int]) -> int:
        """What a read returns; a write changes the model."""
        if self.memory != 0 or self.index >= len(model):
            return 0
        old = model[self.index]
        if self.write:
            model[self.index] = self.data
        return old


@cocotb.test(timeout_time=1000, timeout_unit="us")
async def behaves_like_an_array(dut):
    """First with a packet in every clock, then with gaps."""
    depth, width = parameters()["DEPTH"], parameters()["WIDTH"]
    span = 1 << (depth - 1).bit_length()
    model = [0] * depth
    dut.read_valid.value = dut.write_valid.value = dut.row_valid.value = 0
    await start(dut)
    access, done = None, 0
    # The packets that read in the last two clocks.
    before, reader = None, None
    for clock in range(9000):
        busy = 1.0 if clock < 3000 else 0.9 if clock < 6000 else 0.5
        packet = None
        if random.random() < busy:
            packet = random.choice([random.randrange(span), 0, min(1, span - 1)])
        dut.read_valid.value, dut.read_index.value = int(packet is not None), packet or 0
        writes = reader is not None and random.random() < 0.7
        dut.write_valid.value = int(writes)
        if access is None and random.random() < 0.3:
            access = RowAccess(dut, depth, width)
        await Timer(1, "ns")
        # The value to be written follows read_data in the same clock.
        read = int(dut.read_data.value)
        dut.write_data.value = (3 * read + 1) % 2**width
        if reader is not None:
            assert read == (model[reader] if reader < depth else 0)
            if writes and reader < depth:
                model[reader] = (3 * read + 1) % 2**width
        if access is not None and dut.row_done.value:
            assert reader is None and clock >= 3000
            # It has started in the first clock without a packet; this clock is the second after.
            assert access.idle >= 1
            got = int(dut.row_rdata.value)
            assert got == access.apply(model)
            done += 1
        else:
            assert not dut.row_done.value
        finished = bool(dut.row_done.value)
        await RisingEdge(dut.clk)
        if access is not None:
            access.idle += packet is None
            assert access.idle <= 3
        if finished:
            access = None
            dut.row_valid.value = 0
        before, reader = packet, before
    assert done > 100


@pytest.mark.quick("5-16")
@pytest.mark.parametrize(("depth", "width"), [(1, 8), (5, 16), (1024, 64)])
def test_register_array(depth, width):
    simulate("ww_register_array", {"DEPTH": depth, "WIDTH": width})


@pytest.mark.parametrize("parameter", [{"DEPTH": 0}, {"WIDTH": 0}])
def test_illegal_parameters_do_not_build(parameter):
    with pytest.raises(RuntimeError, match="ww_register_array: .* must be"):
        simulate("ww_register_array", parameter)
