#!/usr/bin/env python3
"""Compare Shoal with fabrics whose switches turn slowly: the same flows, the same bandwidth.

    compare_fabrics.py --ww WW [--hosts N] [--channels C] [--flows F] [--loads L,L,..] [--seeds S,S,..] [--turns US,US,..]
                       [--turn-load L] [--quick] [--write]

For each load and seed `ww fabric flows pareto` makes flows, and `ww fabric sim` runs them until all have finished, under the
rules of each fabric of labs/rotors, with as many channels and the same slots for all. A second row of runs has one load and switches that
turn in --turns microseconds each, every tenfold of that; Shoal's slots stay as they are.

It prints tables in Markdown, for the flows of all seeds: means, and behind ± half of the distance from the least to the
largest. `least` is what no fabric can beat: all channels carry a flow's cells at once, and nothing else. --write puts the
tables into docs/fabric-rotors.md, between the lines that name this script. --quick: a small fabric and little traffic.

It fails if a run leaves flows unfinished, is better than `least`, or does not have the figures that are printed (exit
status 1). Standard library only; no code of the simulator.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "fabric-rotors.md"
BEGIN = "<!-- scripts/compare_fabrics.py -->"
END = "<!-- end of scripts/compare_fabrics.py -->"

# What is compared: the variants of this lab.
LAB = Path(__file__).resolve().parent.parent / "labs" / "rotors" / "lab.toml"
SHOAL = "shoal"
LEAST = "least"

SLOT_NS = 23.25
PAYLOAD_BITS = 8 * 56
# Cells of the longest short flow and of the shortest long one, as docs/fabric.md has them.
SHORT = 1785
LONG = 17858

FIGURES = (
    ("short_mean", "Short flows, mean completion time in us", 1),
    ("short_p999", "Short flows, 99.9th percentile of the completion time in us", 0),
    ("goodput", "Long flows, mean goodput in Gb/s", 2),
)


class Wrong(Exception):
    """What does not hold."""


def ww(command, *arguments):
    ran = subprocess.run([command, "fabric", *map(str, arguments)], capture_output=True, text=True)
    if ran.returncode:
        raise Wrong(f"'{command} fabric {' '.join(map(str, arguments))}' failed: {ran.stderr.strip()}")
    return ran.stdout


def fabrics():
    """The fabrics of the lab: a name, the options of `ww fabric sim`, and whether its switches turn slowly."""
    found = []
    for variant in tomllib.loads(LAB.read_text())["variant"]:
        keys = variant["set"]["fabric"]
        options = [text for key, value in keys.items() for text in (f"--{key.replace('_', '-')}", str(value))]
        found.append((variant["name"].replace("_", " "), options, keys["rules"] != SHOAL))
    return found


def mean(values):
    return sum(values) / len(values) if values else None


def least(sizes, channels):
    """The figures of a fabric that gives each flow all channels of its hosts at once. `sizes` are cells of flows."""
    times = {size: -(-size // channels) * SLOT_NS for size in set(sizes)}
    short = sorted(times[size] for size in sizes if size <= SHORT)
    rates = [PAYLOAD_BITS * size / times[size] for size in sizes if size >= LONG]
    return {
        "short_mean": mean(short) / 1000 if short else None,
        # The least value that at least 99.9 % of them do not exceed.
        "short_p999": short[-(-len(short) * 999 // 1000) - 1] / 1000 if short else None,
        "goodput": mean(rates),
    }


def figures(printed, flows):
    """The figures of a run, from what `ww fabric sim --json` prints of it."""
    if (printed["flows"], printed["finished"]) != (flows, flows):
        raise Wrong(f"expected {flows} finished flows, found {printed['finished']} of {printed['flows']}")
    times = printed["fct_us"]
    return {
        "short_mean": times["short_mean"],
        "short_p999": times["short_p999"],
        "goodput": printed["goodput_gbps"],
    }


def check(name, found, bound):
    """Nothing is better than what links can carry."""
    for figure, title, _ in FIGURES:
        if (found[figure] is None) != (bound[figure] is None):
            raise Wrong(f"{name}: {title}: expected a value if there are such flows, found {found[figure]}")
        if found[figure] is None:
            continue
        beats = found[figure] > bound[figure] if figure == "goodput" else found[figure] < bound[figure]
        # Sums of rounded numbers.
        if beats and abs(found[figure] - bound[figure]) > 1e-9 * bound[figure]:
            raise Wrong(f"{name}: {title}: expected nothing better than {bound[figure]}, found {found[figure]}")


def run(arguments, load, seed, turn_us=None):
    """The figures of all fabrics, by name; with `turn_us` those of `least` and of slow switches that turn so fast."""
    hosts = ("--hosts", arguments.hosts, "--channels", arguments.channels)
    times = ()
    if turn_us is not None:
        times = ("--reconfiguration-ns", f"{turn_us * 1000:.3f}", "--matching-ns", f"{turn_us * 10000:.3f}")
    with tempfile.TemporaryDirectory() as folder:
        flows = Path(folder) / "flows.csv"
        pattern = ("pareto", "--flows", arguments.flows, "--load", load, *hosts)
        ww(arguments.ww, "flows", *pattern, "--seed", seed, "--out", flows)
        sizes = [int(line.split(",")[3]) for line in flows.read_text().splitlines()]
        made = {LEAST: least(sizes, arguments.channels)}
        for name, options, is_slow in fabrics():
            if turn_us is not None and not is_slow:
                continue
            given = ("--slot-ns", SLOT_NS, *hosts, *options, *(times if is_slow else ()), "--json")
            printed = json.loads(ww(arguments.ww, "sim", flows, *given))
            made[name] = figures(printed, len(sizes))
            check(f"{name}, load {load}, seed {seed}", made[name], made[LEAST])
    return made


def field(values, decimals):
    """A mean, and half of the distance from the least to the largest."""
    values = [value for value in values if value is not None]
    if not values:
        return "-"
    spread = (max(values) - min(values)) / 2
    return f"{mean(values):,.{decimals}f} ± {spread:,.{decimals}f}"


def table(figure, decimals, corner, columns, runs):
    """Rows of fabrics. `runs[column]` are the figures of all seeds."""
    names = list(runs[columns[0]][0])
    lines = [f"| {corner} | " + " | ".join(map(str, columns)) + " |", "|---" * (len(columns) + 1) + "|"]
    for name in names:
        fields = [field([made[name][figure] for made in runs[column]], decimals) for column in columns]
        lines.append(f"| {name} | " + " | ".join(fields) + " |")
    return lines


def tables(arguments):
    loads = {load: [run(arguments, load, seed) for seed in arguments.seeds] for load in arguments.loads}
    lines = []
    for figure, title, decimals in FIGURES:
        lines += ["", f"{title}, by load:", "", *table(figure, decimals, "load", arguments.loads, loads)]
    if arguments.turns:
        load = arguments.turn_load
        turns = {us: [run(arguments, load, seed, us) for seed in arguments.seeds] for us in arguments.turns}
        for figure, title, decimals in FIGURES:
            head = f"{title}, by the microseconds of a turn, load {load}:"
            lines += ["", head, "", *table(figure, decimals, "turn", arguments.turns, turns)]
    return "\n".join(lines[1:]) + "\n"


def write(text):
    """Puts the tables into the page."""
    page = PAGE.read_text()
    head, found, rest = page.partition(BEGIN + "\n")
    _, ends, tail = rest.partition(END)
    if not (found and ends):
        raise Wrong(f"{PAGE}: expected lines '{BEGIN}' and '{END}', found none")
    PAGE.write_text(f"{head}{BEGIN}\n{text}{END}{tail}")


def numbers(kind):
    def read(text):
        return [kind(number) for number in text.split(",") if number]

    read.__name__ = "list of numbers"
    return read


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ww", required=True)
    parser.add_argument("--hosts", type=int, default=64)
    parser.add_argument("--channels", type=int, default=4)
    parser.add_argument("--flows", type=int, default=20_000)
    parser.add_argument("--loads", type=numbers(float), default=[0.1, 0.3, 0.5, 0.7])
    parser.add_argument("--seeds", type=numbers(int), default=[1, 2, 3])
    parser.add_argument("--turns", type=numbers(float), default=[20.0, 2.0, 0.2])
    parser.add_argument("--turn-load", type=float, default=0.3)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if not (arguments.loads and arguments.seeds):
        parser.error("expected one load and one seed or more")
    if arguments.quick:
        arguments.hosts, arguments.flows, arguments.seeds = 16, 2_000, [1]
        arguments.loads, arguments.turns = [0.3], [2.0]
    text = tables(arguments)
    if arguments.write:
        write(text)
    print(text, end="")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"error: {wrong}")
