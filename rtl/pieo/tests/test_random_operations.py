"""Random mixes of operations against a list in C++, with assertions on the clocks of each and on the insides.

WW_PIEO_OPERATIONS sets how many operations each run has, 200,000 by default. WW_PIEO_LARGE=1 adds lists of 4,096
elements, and WW_PIEO_LARGE=2 those of 30,000 to 65,536, which take an hour.

spec: 004-pieo-shoal 8, checks 3, 4, 5, 6, 7, 8
"""

import math
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
from random_operations import build, run  # noqa: E402

OPERATIONS = int(os.environ.get("WW_PIEO_OPERATIONS", "200000"))
LARGE = os.environ.get("WW_PIEO_LARGE", "0") != "0"
LARGEST = os.environ.get("WW_PIEO_LARGE", "0") == "2"


def sublists_bound(n: int) -> int:
    """Of sublists of B = ceil(sqrt n), of which no two neighbours are partly full: 2 sqrt(n) - 1 for a square."""
    b = next(b for b in range(1, n + 1) if b * b >= n)
    return (2 * n + b - 1) // (b + 1)


def clean(module: str, parameters: dict[str, int], **options) -> dict:
    """Runs it; there must not be a difference."""
    program = build(module, parameters, optimize=2 if OPERATIONS > 1000000 or parameters["N"] > 100 else 1)
    status, said, seen = run(program, parameters, OPERATIONS, **options)
    assert status == 0, said
    assert seen["operations"] == OPERATIONS
    assert seen["errors"][2] > 0 and seen["found"] > 0
    if parameters["N"] <= 100:
        assert seen["occupancy"] == [0, parameters["N"]]
    return seen


SIZES = [{"N": 4}, {"N": 16}, {"N": 30, "RANK_BITS": 7, "TIME_BITS": 24}]
SIZES += [{"N": 100}, {"N": 1024}, {"N": 4096}] if LARGE else []


@pytest.mark.quick("'N': 16")
@pytest.mark.parametrize("parameters", SIZES, ids=str)
def test_published(parameters: dict[str, int]):
    bound = sublists_bound(parameters["N"])
    seen = clean("ww_pieo_checked", parameters)
    # Every operation has taken exactly 4 clocks, and the next one began right behind it.
    assert seen["latency"] == [4, 4]
    assert seen["clocks"] == 4 * OPERATIONS
    assert seen["sublists"] <= bound
    seen = clean("ww_pieo_checked", parameters, gaps=40, ranges=50)
    assert seen["latency"] == [4, 4]
    assert seen["range_latency"][0] == 4
    assert seen["range_latency"][1] <= 4 * bound


@pytest.mark.long
def test_ranges_of_parents():
    """4 parents of 8 flows, the last one with 6: such a range takes 4 clocks as all else."""
    parameters = {"N": 30, "PARENT_SIZE": 8}
    seen = clean("ww_pieo_checked", parameters, ranges=80)
    assert seen["latency"] == [4, 4]
    assert seen["parent_latency"] == [4, 4]
    assert 4 < seen["range_latency"][1] <= 4 * sublists_bound(30)


@pytest.mark.quick("'N': 16")
@pytest.mark.parametrize("parameters", SIZES, ids=str)
def test_fast(parameters: dict[str, int]):
    bound = sublists_bound(parameters["N"])
    seen = clean("ww_pieo_fast_checked", parameters)
    # A result 4 clocks after each operation, and an operation in every second clock, whatever it is.
    assert seen["latency"] == [4, 4]
    assert 2 * OPERATIONS <= seen["clocks"] <= 2 * OPERATIONS + 4
    assert seen["sublists"] <= bound
    seen = clean("ww_pieo_fast_checked", parameters, gaps=40, ranges=50)
    assert seen["latency"] == [4, 4]
    # The operation in front leaves first; one pass for each sublist, and one that takes the element out.
    assert seen["range_latency"][1] <= 2 + 4 * bound + 4


PIPELINED = [*SIZES, {"N": 30, "ROW": 4}]


@pytest.mark.quick("'N': 16")
@pytest.mark.parametrize("parameters", PIPELINED, ids=str)
def test_pipelined(parameters: dict[str, int]):
    seen = clean("ww_pieo_pipelined_checked", parameters)
    assert seen["latency"][0] == 4
    # The mixes are made to get in the way of each other, and rows of 4 elements to be split all the time.
    assert seen["clocks"] < 2 * OPERATIONS
    seen = clean("ww_pieo_pipelined_checked", parameters, gaps=40, ranges=50)
    row = parameters.get("ROW") or min(parameters["N"], max(32, 2 * math.isqrt(parameters["N"] - 1) + 2))
    sublists = 2 * math.ceil(4 * parameters["N"] / (3 * row))
    # Waiting for those in front, a second look at each sublist, and what a split and a join take.
    assert seen["range_latency"][1] <= 4 * (2 * sublists + 10) + row + sublists + 10


@pytest.mark.long
def test_an_operation_every_clock():
    """What a scheduler does, dequeue and enqueue in turn: as many clocks as operations, or a little more with splits."""
    for parameters, percent in (({"N": 30}, 101), ({"N": 256}, 120)):
        program = build("ww_pieo_pipelined", parameters)
        status, said, seen = run(program, parameters, OPERATIONS, orderly=parameters["N"] * 3 // 4)
        assert status == 0, said
        assert seen["found"] > OPERATIONS * 0.4
        assert OPERATIONS <= seen["clocks"] <= OPERATIONS * percent // 100


MANY = [("ww_pieo_fast", 4096), ("ww_pieo_pipelined", 4096)] if LARGE else []
MANY += [("ww_pieo", 30000), ("ww_pieo_fast", 32768), ("ww_pieo_pipelined", 65536)] if LARGEST else []


@pytest.mark.long
@pytest.mark.parametrize("module, n", MANY)
def test_many_elements(module: str, n: int):
    """Without the assertions on the insides, which look at every element in every clock."""
    parameters = {"N": n}
    program = build(module, parameters, optimize=2)
    status, said, seen = run(program, parameters, OPERATIONS)
    assert status == 0, said
    assert seen["operations"] == OPERATIONS and seen["latency"][0] == 4
    if OPERATIONS >= 1000000:
        assert seen["occupancy"] == [0, n]
    if module == "ww_pieo_pipelined":
        assert OPERATIONS <= seen["clocks"] <= OPERATIONS * 150 // 100
        # As a scheduler does it; splits are rare in long rows.
        status, said, seen = run(program, parameters, OPERATIONS, orderly=n * 3 // 4)
        assert status == 0, said
        assert OPERATIONS <= seen["clocks"] <= OPERATIONS * 110 // 100
    else:
        every = {"ww_pieo": 4, "ww_pieo_fast": 2}[module]
        assert seen["latency"] == [4, 4]
        assert every * OPERATIONS <= seen["clocks"] <= every * OPERATIONS + 4


FAULTS = {
    "a dequeue does not see what the operation in front does to its row": (
        "ww_pieo_pipelined", "ww_pieo_pipelined.sv", "assign same_as_fourth = fourth_valid", "assign same_as_fourth = 1'b0"
    ),
    "an operation behind a dequeue that looks again goes on": (
        "ww_pieo_pipelined", "ww_pieo_pipelined.sv", "third_valid <= goes && !retry", "third_valid <= goes"
    ),
    "a bound is learned although an element has come since": (
        "ww_pieo_pipelined", "ww_pieo_bounds.sv", "t > 0 && adds && index", "1'b0 && index"
    ),
    "a dequeue does not know of the element that comes in front of it": (
        "ww_pieo_pipelined", "ww_pieo_directory.sv", "(added_timely && add_place[i])", "1'b0"
    ),
    "the new element never moves on itself": ("ww_pieo", "ww_pieo.sv", " && !rank_above[B-1];", " && 1'b0;"),
    "a dequeue borrows from a neighbour that is empty": (
        "ww_pieo", "ww_pieo.sv", "else if (left.num != '0 && left.num", "else if (left.num"
    ),
    "rows of the operation before are read from the RAM": (
        "ww_pieo_fast", "ww_pieo_fast.sv", "if (kept[0] && main_sublist == main_kept_sublist)", "if (1'b0)"
    ),
    "the element that leaves counts as one that the next dequeue may take": (
        "ww_pieo_fast", "ww_pieo_fast.sv", "main_fits  = (main_want & ~main_loses) != '0;", "main_fits  = main_want != '0;"
    ),
}  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("what", FAULTS)
def test_fault_is_noticed(what: str):
    module, *fault = FAULTS[what]
    parameters = {"N": 16}
    status, said, _ = run(build(module, parameters, edit=tuple(fault)), parameters, OPERATIONS)
    assert status != 0 and ("expected" in said or "no result" in said)


@pytest.mark.long
@pytest.mark.parametrize("predicate", [0, 1])
def test_flip_flops(predicate: int):
    parameters = {"N": 30, "PREDICATE": predicate}
    seen = clean("ww_pifo", parameters, ranges=20, everything_eligible=predicate == 0)
    assert seen["latency"] == [1, 1]
    assert seen["clocks"] == OPERATIONS
