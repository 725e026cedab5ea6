"""ww_shoal_reroute: which cells of a host went over a host that has died, and which of them wait.

All of docs/fabric-rules.md, "With hosts that die", that the block knows, slot by slot: hosts that die and come back while it still
searches for them, cells that wait for long, destinations that tell late. In a fabric that is rare.

spec: 004-pieo-shoal S27
"""

import random
from collections import deque

import cocotb
import pytest
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

from testing import is_quick, parameters, simulate

SLOT_CYCLES = 12
LOOKED_AT = 8


class Model:
    def __init__(self, hosts: int, host: int, window: int):
        self.hosts, self.host, self.window = hosts, host, window
        self.peers = [f for f in range(hosts) if f != host]
        self.dead: set[int] = set()
        self.next = dict.fromkeys(range(hosts), 0)
        self.told = dict.fromkeys(range(hosts), 0)
        self.via: dict[int, dict[int, int]] = {f: {} for f in range(hosts)}
        self.reroute: dict[int, deque[int]] = {f: deque() for f in range(hosts)}
        self.to_search: set[int] = set()
        self.search: tuple[int, int, int] | None = None

    def die(self, u: int) -> None:
        self.dead.add(u)
        self.to_search.add(u)
        self.told[u] = self.next[u]
        self.reroute[u].clear()

    def could_be_found_twice(self) -> tuple[int, int] | None:
        """The pair that is looked at in the next slot and the host that is searched for, if a cell of the pair that went over another dead host is to be
        sent again and its number is one of the last two of those that are looked at: over that host, if it is back, it may go in this very slot."""
        if self.search is None:
            return None
        d, f, n = self.search
        place = self.reroute[f][0] - max(n, self.told[f]) if self.reroute[f] else 0
        return (f, d) if f != d and f not in self.dead and LOOKED_AT - 3 < place < LOOKED_AT else None

    def find(self) -> tuple[int, list[int]]:
        """The cells that the search of this slot finds; they wait from the next slot on."""
        if self.search is None:
            if not self.to_search:
                return 0, []
            self.search = min(self.to_search), 0, 0
            self.to_search.remove(self.search[0])
        d, f, n = self.search
        found, goes_on = [], False
        if f != self.host and f not in self.dead:
            first = max(n, self.told[f])
            n = first + LOOKED_AT
            found = [seq for seq in range(first, min(n, self.next[f])) if self.via[f].get(seq) == d]
            for seq in found:
                del self.via[f][seq]
            goes_on = n < self.next[f]
        self.search = (d, f, n) if goes_on else (d, f + 1, 0) if f + 1 < self.hosts else None
        return f, found


class Inputs:
    """One clock: all strobes are low but those that are named."""

    def __init__(self, dut):
        self.dut = dut
        self.strobes = [dut.slot_begin, dut.die, dut.begin_pair, dut.told, dut.look, dut.read, dut.take]

    async def clock(self, **values) -> None:
        for strobe in self.strobes:
            strobe.value = 0
        for name, value in values.items():
            getattr(self.dut, name).value = value
        await FallingEdge(self.dut.clk)

    async def edge(self) -> None:
        await RisingEdge(self.dut.clk)


def joining(model: Model) -> tuple[int, int] | None:
    """A pair and a peer whose queue a cell of it joins, if one can."""
    alive = [f for f in model.peers if f not in model.dead]
    if not alive or random.random() < 0.2:
        return None
    f, via = random.choice(alive), random.choice(alive)
    has_room = model.next[f] - model.told[f] < model.window
    return (f, via) if model.reroute[f] or has_room else None


@cocotb.test()
async def each_cell_over_a_dead_host_is_found(dut):
    hosts, window = parameters()["HOSTS"], parameters()["WINDOW"]
    cocotb.start_soon(Clock(dut.clk, 2, "ns").start())
    inputs, found_in_all, taken_in_all, again, overtaken = Inputs(dut), 0, 0, 0, 0
    for run in range(4 if is_quick() else 20):
        model = Model(hosts, random.randrange(hosts), window)
        # How often hosts die, come back, tell; whether what was found may leave.
        rates = [random.choice([0.03, 0.1]), random.choice([0.01, 0.1]), random.choice([0.05, 0.3])]
        leaves = random.choice([0.1, 0.9])
        if run % 2 == 0:
            # Cells wait for long, so some are sent again while the search is at their numbers.
            rates, leaves = [0.1, 0.1, 0.05], 0.1
        dut.host.value, dut.rst.value = model.host, 1
        await inputs.clock()
        await inputs.edge()
        dut.rst.value = 0
        # Numbers begin anywhere.
        for f in model.peers:
            model.next[f] = model.told[f] = random.choice([0, 5, 700])
            await inputs.clock(begin_pair=1, begin_dst=f, begin_next=model.next[f])
            await inputs.edge()
        died_before: set[int] = set()
        for slot in range(1_500):
            # Clock 0: one more is dead, or back.
            rejoins = model.could_be_found_twice()
            peer = rejoins[1] if rejoins else random.choice(model.peers)
            dies = not rejoins and peer not in model.dead and random.random() < rates[0]
            if dies:
                again += peer in died_before
                died_before.add(peer)
                model.die(peer)
            elif rejoins or (peer in model.dead and random.random() < rates[1]):
                model.dead.discard(peer)
            await inputs.clock(slot_begin=1, die=int(dies), die_host=peer, die_next=model.next[peer])
            await inputs.edge()
            # Clock 1: the search looks at a pair.
            await inputs.clock(look=1)
            dut.look_next.value = model.next[int(dut.look_dst.value)]
            ready = {f: list(numbers) for f, numbers in model.reroute.items()}
            f, found = model.find()
            await inputs.edge()
            # Clocks 2 to 11: a cell may join a queue in clock 6, a destination may tell in clock 10.
            join = rejoins or joining(model)
            overtaken += rejoins is not None
            if not rejoins and join and ready[join[0]] and random.random() > leaves:
                join = None
            events = 0
            for clock in range(2, SLOT_CYCLES):
                if clock == 5 and join:
                    await inputs.clock(read=1, dst=join[0])
                elif clock == 6 and join:
                    dst, via = join
                    waits = bool(ready[dst])
                    is_new = not waits and model.next[dst] - model.told[dst] < window
                    await inputs.clock()
                    assert bool(dut.waits.value) == waits, f"run {run}, slot {slot}"
                    assert bool(dut.others_wait.value) == (len(ready[dst]) > 1)
                    if waits:
                        seq = model.reroute[dst].popleft()
                        assert int(dut.seq.value) == seq
                        taken_in_all += 1
                    else:
                        seq = model.next[dst]
                        model.next[dst] += is_new
                    if waits or is_new:
                        dut.take.value, dut.take_via.value, dut.take_seq.value = 1, via, seq
                        model.via[dst][seq] = via
                elif clock == 10 and random.random() < rates[2]:
                    teller = random.choice(model.peers)
                    if teller not in model.dead:
                        model.told[teller] = random.randint(model.told[teller], min(model.told[teller] + 8, model.next[teller]))
                        await inputs.clock(told=1, told_by=teller, told_seq=model.told[teller])
                    else:
                        await inputs.clock()
                else:
                    await inputs.clock()
                events += int(dut.event_found.value)
                assert not dut.event_overflow.value
                if clock == SLOT_CYCLES - 1:
                    model.reroute[f].extend(found)
                    assert events == len(found), f"run {run}, slot {slot}: {found}"
                    assert int(dut.waiting.value) == sum(1 << f for f in range(hosts) if model.reroute[f])
                    assert bool(dut.searching.value) == (model.search is not None or bool(model.to_search))
                await inputs.edge()
            found_in_all += len(found)
        # One more than the window has.
        f = next((f for f in model.peers if f not in model.dead and not model.reroute[f]), None)
        if f is not None:
            for seq in range(model.next[f], model.told[f] + window + 1):
                await inputs.clock(dst=f, take=1, take_via=f, take_seq=seq)
                await inputs.edge()
                await inputs.clock()
                assert bool(dut.event_overflow.value) == (seq == model.told[f] + window)
                await inputs.edge()
                await inputs.clock()
                await inputs.edge()
    assert min(found_in_all, taken_in_all, again, overtaken) > 0


@pytest.mark.parametrize("hosts,window", [(4, 32), (8, 64)])
@pytest.mark.quick("8-64")
def test_ww_shoal_reroute(hosts, window):
    simulate("ww_shoal_reroute", {"HOSTS": hosts, "WINDOW": window})
