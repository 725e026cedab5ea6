"""Each block with the PIEO interface: the known WF2Q+ example, edges, and random operations against a list in Python.

spec: 004-pieo-shoal 2.1; 2.3 S5; 2.5; 8, checks 1, 2, 4, 5, 8
"""

import random

import cocotb
import pytest
from cocotb.triggers import RisingEdge
from testing import parameters, simulate, start

# generated: pieo (crates/blocks/src/facts.rs)
ENQUEUE = 0
DEQUEUE = 1
DEQUEUE_ID = 2
DEQUEUE_RANGE = 3
# end of generated


class Stable:
    """The reference: a list in the order of departure."""

    def __init__(self, capacity):
        self.capacity, self.list = capacity, []

    def apply(self, code, id=0, rank=0, time=0, now=0, lo=0, hi=0):
        if code in (ENQUEUE, DEQUEUE_ID) and id >= self.capacity:
            return "id"
        if code == ENQUEUE:
            if any(e[0] == id for e in self.list):
                return "duplicate"
            self.list.insert(sum(e[1] <= rank for e in self.list), (id, rank, time))
            return None
        fits = [
            lambda e: e[2] <= now,
            lambda e: e[0] == id,
            lambda e: e[2] <= now and lo <= e[0] <= hi,
        ][code - 1]
        found = next((e for e in self.list if fits(e)), None)
        if found:
            self.list.remove(found)
        return found


async def operate(dut, code, id=0, rank=0, time=0, now=0, lo=0, hi=0):
    """One operation, and its result as Stable gives it."""
    dut.op_valid.value = 1
    for name, value in dict(code=code, id=id, rank=rank, time=time, now=now, lo=lo, hi=hi).items():
        getattr(dut, f"op_{name}").value = value
    await RisingEdge(dut.clk)
    while not dut.op_ready.value:
        await RisingEdge(dut.clk)
    dut.op_valid.value = 0
    while True:
        await RisingEdge(dut.clk)
        if dut.result_valid.value:
            break
    error = int(dut.result_error.value)
    found = int(dut.result_found.value)
    element = tuple(getattr(dut, f"result_{name}").value for name in ("id", "rank", "time"))
    # The occupancy follows a clock later.
    await RisingEdge(dut.clk)
    if error:
        return ["id", "duplicate", "range", "full"][error - 1]
    return tuple(map(int, element)) if found else None


async def begin(dut):
    dut.op_valid.value = 0
    await start(dut)


# Figure 2.2: flow: (length, start, finish), in virtual time.
FLOWS = {"A": (5, 0, 10), "B": (20, 20, 50), "C": (10, 2, 80), "D": (5, 1, 100), "E": (5, 3, 125), "F": (10, 5, 150)}


async def serve_flows(dut):
    """The order in which the six flows leave, and the virtual time of each."""
    names = list(FLOWS)
    for number, (_, begins, finish) in enumerate(FLOWS.values()):
        assert await operate(dut, ENQUEUE, id=number, rank=finish, time=begins) is None
    waiting, order, times, virtual = set(names), "", [], 0
    while waiting:
        number, _, _ = await operate(dut, DEQUEUE, now=virtual)
        name = names[number]
        waiting.remove(name)
        order += name
        # A flow that is served too early, by rank alone, holds the line until it starts.
        virtual = max(virtual, FLOWS[name][1])
        times.append(virtual)
        virtual = max([virtual + FLOWS[name][0]] + [min((FLOWS[w][1] for w in waiting), default=0)])
    return order, times


@cocotb.test()
async def wf2q_plus_example(dut):
    await begin(dut)
    if parameters().get("PREDICATE") == 0:
        # What a priority queue without eligibility does to it.
        assert await serve_flows(dut) == ("ABCDEF", [0, 20, 40, 50, 55, 60])
    else:
        assert await serve_flows(dut) == ("ACDBEF", [0, 5, 15, 20, 40, 45])


@cocotb.test()
async def ties_extremes_and_errors(dut):
    """Equal ranks leave in order of arrival; the largest rank and time are values as others; errors change nothing."""
    await begin(dut)
    n = parameters()["N"]
    rank_max, time_max = (1 << 16) - 1, (1 << 16) - 1
    for id in (3, 1, 2):
        assert await operate(dut, ENQUEUE, id=id, rank=rank_max, time=time_max) is None
    assert await operate(dut, ENQUEUE, id=1, rank=0, time=0) == "duplicate"
    assert await operate(dut, ENQUEUE, id=n, rank=0, time=0) == "id"
    assert await operate(dut, DEQUEUE_ID, id=n) == "id"
    assert await operate(dut, DEQUEUE_ID, id=0) is None
    if parameters().get("PREDICATE", 1):
        assert await operate(dut, DEQUEUE, now=time_max - 1) is None
    assert await operate(dut, DEQUEUE_RANGE, now=time_max, lo=2, hi=1) is None
    assert await operate(dut, DEQUEUE_RANGE, now=time_max, lo=2, hi=2) == (2, rank_max, time_max)
    assert await operate(dut, DEQUEUE, now=time_max) == (3, rank_max, time_max)
    assert await operate(dut, DEQUEUE_ID, id=1, now=0) == (1, rank_max, time_max)
    assert await operate(dut, DEQUEUE, now=time_max) is None
    assert int(dut.occupancy.value) == 0


@cocotb.test()
async def random_operations(dut):
    """Against the list in Python; with ties, equal times and a clock that also goes back."""
    await begin(dut)
    n = parameters()["N"]
    model = Stable(n)
    for _ in range(1500):
        operation = dict(
            code=random.choice((ENQUEUE, ENQUEUE, ENQUEUE, DEQUEUE, DEQUEUE_ID, DEQUEUE_RANGE)),
            id=random.randrange(1 << (n - 1).bit_length()),
            rank=random.randrange(8),
            time=random.choice((0, 5, 6, 65535)),
            now=random.randrange(9),
            lo=random.randrange(n // 2),
            hi=random.randrange(n),
        )
        assert await operate(dut, **operation) == model.apply(**operation), operation
        assert int(dut.occupancy.value) == len(model.list)


@cocotb.test()
async def all_sublists(dut):
    """A list of 2 sqrt(N) - 1 sublists: full ones, and between them, in front and behind ones with one element."""
    await begin(dut)
    n = parameters()["N"]
    root = round(n**0.5)
    # sqrt(N) full sublists; then one element is left of the first, and each other one is split by one more element.
    for number in range(n):
        await operate(dut, ENQUEUE, id=number, rank=10 * number)
    for number in range(root - 1):
        assert (await operate(dut, DEQUEUE))[0] == number
    for number in range(root - 1):
        await operate(dut, ENQUEUE, id=number, rank=10 * root * (number + 1) + 1)
    assert int(dut.occupancy.value) == n
    assert int(dut.sublists.value) == 2 * root - 1


BLOCKS = [
    ("ww_pieo_checked", {"N": 4}),
    ("ww_pieo_checked", {"N": 9}),
    ("ww_pieo_checked", {"N": 16}),
    ("ww_pieo_checked", {"N": 25}),
    ("ww_pieo_checked", {"N": 30}),
    ("ww_pieo_fast_checked", {"N": 4}),
    ("ww_pieo_fast_checked", {"N": 25}),
    ("ww_pieo_fast_checked", {"N": 30}),
    ("ww_pifo", {"N": 30, "PREDICATE": 0}),
    ("ww_pifo", {"N": 30, "PREDICATE": 1}),
]


@pytest.mark.quick("30")
@pytest.mark.parametrize("module, given", BLOCKS, ids=lambda value: str(value))
def test_block(module, given):
    cases = []
    # An id that is too large needs an N that is no power of two; the example has six flows.
    if given["N"] == 30:
        cases += ["wf2q_plus_example", "ties_extremes_and_errors"]
    if given.get("PREDICATE", 1):
        cases += ["random_operations"]
    if module.endswith("_checked") and given["N"] < 30:
        cases += ["all_sublists"]
    simulate(module, given, testcase=cases)
