"""ww_shoal_meetings: who meets whom in each slot, of all hosts and of any that are left, against a search through the slots of the schedule.

spec: 004-pieo-shoal S18; docs/fabric-rules.md, "Terms" and steps C and D
"""

import itertools
import random

import cocotb
import pytest
from cocotb.triggers import Timer

from testing import is_quick, parameters, simulate


class Schedule:
    """The plain order of some hosts, slot by slot. `phase` of a slot is its number in the epoch; slots may be before the first one."""

    def __init__(self, members: list[int]):
        self.members, self.period = members, len(members) - 1

    def peer(self, host: int, slot: int) -> int:
        return self.members[(self.members.index(host) + slot % self.period + 1) % len(self.members)]

    def sender_to(self, host: int, slot: int) -> int:
        return next(u for u in self.members if u != host and self.peer(u, slot) == host)

    def phase(self, i: int, j: int) -> int:
        return next(slot for slot in range(self.period) if self.peer(i, slot) == j)

    def last_before(self, i: int, j: int, slot: int) -> int:
        """The last slot of link i->j at or before a slot."""
        return next(at for at in range(slot, slot - self.period, -1) if self.peer(i, at) == j)


@cocotb.test()
async def the_table_is_the_schedule(dut):
    hosts, delay, least = (parameters()[name] for name in ("HOSTS", "DELAY", "LEAST"))
    some = [list(left) for n in range(least, hosts + 1) for left in itertools.combinations(range(hosts), n)]
    for members in random.sample(some, min(len(some), 8 if is_quick() else 60)) + [list(range(hosts))]:
        schedule = Schedule(members)
        period = schedule.period
        dut.members.value = sum(1 << h for h in members)
        for host, phase in itertools.product(members, range(period)):
            onward_from, onward_dst = random.sample(members, 2)
            dut.host.value, dut.phase.value = host, phase
            dut.onward_from.value, dut.onward_dst.value = onward_from, onward_dst
            await Timer(1, "ns")
            # Slot t, and slot r in which the cell left that arrives at its end.
            t = phase + 100 * period
            r = t - (delay - 1)
            u = schedule.sender_to(host, r)
            at = f"members {members}, host {host}, slot {phase} of the epoch"
            assert int(dut.slots.value) == period, at
            assert int(dut.peer.value) == schedule.peer(host, t), at
            assert int(dut.from_phase.value) == r % period == schedule.phase(u, host), at
            assert int(getattr(dut, "from").value) == u, at
            # The report is about the cell of this host that was the last to be there when it left; epochs count from the link's slot of this epoch.
            about = schedule.last_before(host, u, r - delay)
            there = schedule.phase(host, u)
            assert int(dut.lag.value) == t // period - (about - there) // period, at
            # The link's next slot is the first one behind t, and its cell arrives so long behind r.
            following = next(slot for slot in range(t + 1, t + 1 + period) if schedule.peer(host, slot) == u)
            assert int(dut.next_epoch.value) == (following - there) // period - t // period, at
            away = following + delay - 1 - r
            assert int(dut.away_epochs.value) * period + int(dut.away_slots.value) == away, at
            assert int(dut.away_slots.value) < period, at
            assert int(dut.onward_phase.value) == schedule.phase(onward_from, onward_dst), f"{at}: {onward_from} to {onward_dst}"


# The prototype; delays of less than an epoch, and of one slot; only the schedule of all.
@pytest.mark.parametrize("hosts,delay,least", [(8, 21, 3), (9, 3, 6), (16, 1, 12), (6, 7, 6)])
@pytest.mark.quick("8-21", "9-3")
def test_ww_shoal_meetings(hosts, delay, least):
    simulate("ww_shoal_meetings", {"HOSTS": hosts, "DELAY": delay, "LEAST": least})
