"""ww_shoal_rows: the rows of all switches together are the schedule of the fabric, and each of them is a permutation.

spec: 004-pieo-shoal 2.8; checks 19, 21
"""

import cocotb
import pytest
from cocotb.triggers import Timer

from testing import parameters, simulate


def inputs(row: int, ports: int) -> list[int]:
    """The input of each output; all are connected."""
    bits = 1 + (ports - 1).bit_length()
    choices = [row >> bits * n & ((1 << bits) - 1) for n in range(ports)]
    assert all(choice >> bits - 1 for choice in choices)
    return [choice & ((1 << bits - 1) - 1) for choice in choices]


@cocotb.test()
async def a_cell_finds_its_peer_through_a_spine(dut):
    """Followed backwards, from the output to a host to the input at which it began."""
    hosts, leaves, late = (parameters()[name] for name in ("HOSTS", "LEAVES", "LATE"))
    local, slots = hosts // leaves, hosts - 1
    leaf_rows, spine_rows = [], []
    for slot in range(slots):
        dut.slot.value = slot
        await Timer(1, "ns")
        for rows, signal, count, ports in ((leaf_rows, dut.leaves, leaves, 2 * local), (spine_rows, dut.spines, local, leaves)):
            bits = ports * (1 + (ports - 1).bit_length())
            value = int(signal.value)
            rows.append([inputs(value >> bits * n & ((1 << bits) - 1), ports) for n in range(count)])
            # Each input once. In the same row of a leaf are outputs of two slots, whose inputs are of two kinds.
            assert all(sorted(row) == list(range(ports)) for row in rows[-1])
    for slot in range(slots):
        down = (slot + late) % slots
        for host in range(hosts):
            leaf, place = divmod(host, local)
            spine = leaf_rows[down][leaf][place] - local
            assert spine >= 0, "a cell for a host comes from a spine"
            origin = spine_rows[slot][spine][leaf]
            source = leaf_rows[slot][origin][local + spine]
            assert source < local, "a cell for a spine comes from a host"
            assert (origin * local + source + slot + 1) % hosts == host
            assert (source + slot) % local == spine


@pytest.mark.parametrize("hosts,leaves,late", [(8, 4, 9), (12, 3, 0), (6, 2, 5), (32, 4, 40)])
def test_ww_shoal_rows(hosts, leaves, late):
    simulate("ww_shoal_rows_of_all", {"HOSTS": hosts, "LEAVES": leaves, "LATE": late})
