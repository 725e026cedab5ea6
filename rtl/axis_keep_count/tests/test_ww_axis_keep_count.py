"""ww_axis_keep_count: every contiguous tkeep."""

import cocotb
import pytest
from cocotb.triggers import Timer

from testing import parameters, simulate


@cocotb.test()
async def counts(dut):
    for count in range(parameters()["BYTES"] + 1):
        dut.keep.value = (1 << count) - 1
        await Timer(1, "ns")
        assert int(dut.count.value) == count


@pytest.mark.quick("8")
@pytest.mark.parametrize("size", [1, 8, 64])
def test_keep_count(size):
    simulate("ww_axis_keep_count", {"BYTES": size})
