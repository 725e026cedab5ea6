#!/usr/bin/env python3
"""Counts what a packet takes, under valgrind's cachegrind: bound.py RESULTS -- NAME PART FRAMES COMMAND...

The command is run twice, with few and with many passes over its FRAMES frames: `{passes}` in it
becomes their number, `{packets}` that of packets. The difference, divided by the packets in between, is what a packet takes, without the start.
Cachegrind simulates caches of the sizes of this machine and counts instructions; it knows nothing
of prefetching, pipelines or memory latency, so its counts are a bound from below on time. One JSON
line goes to RESULTS/bound.json.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FEW, MANY = 1, 4
EVENTS = {"Ir": "instructions", "Dr": "data_reads", "Dw": "data_writes"}


def run(command, passes, frames):
    with tempfile.NamedTemporaryFile() as out:
        words = [word.replace("{passes}", str(passes)).replace("{packets}", str(passes * frames)) for word in command]
        subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=yes", f"--cachegrind-out-file={out.name}", *words],
            check=True, capture_output=True,
        )  # fmt: skip
        text = Path(out.name).read_text(encoding="utf-8", errors="replace")
    names = re.search(r"^events: (.*)$", text, re.M)[1].split()
    values = [int(value) for value in re.search(r"^summary: (.*)$", text, re.M)[1].split()]
    return dict(zip(names, values))


def clock():
    """GHz, as the kernel sees it."""
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    return float(re.search(r"cpu MHz\s*:\s*([0-9.]+)", text)[1]) / 1000


def main():
    if len(sys.argv) < 7 or sys.argv[2] != "--":
        sys.exit("usage: bound.py RESULTS -- NAME PART FRAMES COMMAND...")
    results, _, name, part, frames, *command = sys.argv[1:]
    frames = int(frames)
    few, many = run(command, FEW, frames), run(command, MANY, frames)
    count = frames * (MANY - FEW)
    change = {event: (many[event] - few[event]) / count for event in many}
    found = {EVENTS[event]: change[event] for event in EVENTS}
    found["d1_misses"] = change["D1mr"] + change["D1mw"]
    found["ll_misses"] = change["DLmr"] + change["DLmw"]
    with open(Path(results) / "bound.json", "a", encoding="utf-8") as out:
        out.write(json.dumps({"engine": name, "part": part, "ghz": clock(), **found}) + "\n")


if __name__ == "__main__":
    main()
