#!/usr/bin/env python3
"""Max-min fair rates by linear programs: the second opinion on `ww_sim::max_min`.

    max_min_oracle.py [--count N] [--seed S] --write|--check

--write makes random networks and writes them with their rates to crates/sim/tests/all/max_min/linprog.json, which the
tests of the crate read; --check says whether that file is what would be written, rates to 1e-6; exit status 1 if not.

Nothing rises step by step here. A program maximises the level t, the rate of each flow that is not fixed being at least t
times its weight; then, for each of them, a program maximises its rate with the others at that level or above. Those that
cannot get more are fixed at the level; and so on until all are. Needs SciPy (scipy.optimize.linprog, method HiGHS).
"""

import argparse
import json
import random
import sys
from pathlib import Path

import numpy
from scipy.optimize import linprog

VECTORS = Path(__file__).resolve().parent.parent / "crates/sim/tests/all/max_min/linprog.json"
TOLERANCE = 1e-6


def solve(objective, rows, limits, bounds):
    """The point that maximises the objective."""
    result = linprog(-numpy.array(objective), A_ub=rows, b_ub=limits, bounds=bounds, method="highs")
    if result.status != 0:
        raise SystemExit(f"linprog: {result.message}")
    return result.x


def rates(capacities, flows):
    """Max-min fair rates. A flow is {"weight", "demand" (or None), "uses": [[resource, fraction], ...]}."""
    count = len(flows)
    # Variables: the rates, and the level.
    rows = numpy.zeros((len(capacities), count + 1))
    for number, flow in enumerate(flows):
        for resource, fraction in flow["uses"]:
            rows[resource, number] += fraction
    fixed = {}
    while len(fixed) < count:
        rising = [number for number in range(count) if number not in fixed]
        floor = numpy.zeros((len(rising), count + 1))
        for row, number in zip(floor, rising):
            row[number], row[count] = -1, flows[number]["weight"]
        bounds = [(fixed[n], fixed[n]) if n in fixed else (0, flows[n]["demand"]) for n in range(count)]
        all_rows = numpy.vstack([rows, floor])
        limits = numpy.concatenate([capacities, numpy.zeros(len(rising))])
        level = solve([0] * count + [1], all_rows, limits, [*bounds, (0, None)])[count]
        # The level a hair lower, so that rounding does not make the programs infeasible.
        low = level * (1 - 1e-9)
        stopped = []
        for number in rising:
            goal = [0] * (count + 1)
            goal[number] = 1
            most = solve(goal, all_rows, limits, [*bounds, (low, low)])[number]
            share = level * flows[number]["weight"]
            if most <= share * (1 + 1e-7) + 1e-9:
                stopped.append((number, share))
        if not stopped:
            raise SystemExit(f"no flow stops at level {level}: the programs are not exact enough")
        # What is fixed a hair lower keeps the rest feasible as well.
        fixed.update((number, share * (1 - 1e-9)) for number, share in stopped)
    return [fixed[number] for number in range(count)]


def network(draw):
    """A random one: some flows spread over paths, some with a weight or a demand."""
    resources = draw.randint(1, 8)
    capacities = [draw.choice([1.0, 10.0, 40.0, round(draw.uniform(0.5, 50), 3)]) for _ in range(resources)]
    flows = []
    for _ in range(draw.randint(1, 10)):
        used = draw.sample(range(resources), draw.randint(1, min(4, resources)))
        spread = draw.random() < 0.5
        uses = [[resource, round(draw.uniform(0.05, 1), 3) if spread else 1.0] for resource in used]
        weight = draw.choice([1.0, 1.0, 2.0, round(draw.uniform(0.2, 5), 3)])
        demand = round(draw.uniform(0.1, 20), 3) if draw.random() < 0.25 else None
        flows.append({"weight": weight, "demand": demand, "uses": uses})
    return {"capacities": capacities, "flows": flows}


def networks(count, seed):
    draw = random.Random(seed)
    made = [network(draw) for _ in range(count)]
    for one in made:
        one["rates"] = [float(f"{rate:.8g}") for rate in rates(one["capacities"], one["flows"])]
    return made


def near(one, other):
    return abs(one - other) <= TOLERANCE * max(1e-3, abs(one), abs(other))


def same(one, other):
    return all(one[key] == other[key] for key in ("capacities", "flows")) and all(map(near, one["rates"], other["rates"]))


def text(made):
    return "[\n" + ",\n".join(json.dumps(one) for one in made) + "\n]\n"


def check(made):
    stored = json.loads(VECTORS.read_text())
    wrong = [number for number, pair in enumerate(zip(stored, made)) if not same(*pair)]
    if len(stored) != len(made) or wrong:
        raise SystemExit(f"{VECTORS}: expected {len(made)} networks as --write makes them, found {len(stored)}, "
                         f"different: {wrong}; run --write, and see which side is wrong")
    print(f"{len(made)} networks: the rates of {VECTORS.name} are those of linprog")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", action="store_true")
    action.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    made = networks(arguments.count, arguments.seed)
    if arguments.check:
        return check(made)
    VECTORS.write_text(text(made))


if __name__ == "__main__":
    sys.exit(main())
