#!/usr/bin/env python3
"""Speed of the fabric's simulator: fabric.py WW CELL_EVENTS FOLDER ROUNDS. Prints one JSON object a line.

512 hosts, one channel, rules `published`, one worker. Cell-slots are hosts times slots; seconds are
those of the processor, user and system; of ROUNDS rounds, which run in turn, the median counts.
CELL_EVENTS is the example of that name of crates/fabric: the same flows as packets of the event
simulator, an event for each hop of a cell. Standard library only.
"""

import json
import statistics
import subprocess
import sys
from pathlib import Path

from processor import measured

HOSTS = 512
# What is sent: name, flows, options of `ww fabric flows pareto`. A large exponent makes all sizes alike.
WORKLOADS = (
    ("Pareto sizes of 100 kB, half load", 20_000, ("--load", "0.5")),
    ("100 cells a flow, a quarter load", 20_000, ("--load", "0.25", "--mean", "5600", "--shape", "10000")),
    ("20 cells a flow, half load", 20_000, ("--load", "0.5", "--mean", "1120", "--shape", "10000")),
)
# The event simulation takes too long for all flows.
COMPARED = ("Pareto sizes of 100 kB, half load", 2_000, ("--load", "0.5"))


def flows(ww, folder, number, count, options):
    file = folder / f"flows-{number}.csv"
    command = [ww, "fabric", "flows", "--hosts", HOSTS, "--out", file, "pareto", "--flows", count, *options]
    subprocess.run([str(word) for word in command], check=True)
    return file


def main():
    ww, cell_events, folder, rounds = sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])
    folder.mkdir(parents=True, exist_ok=True)
    for number, (workload, count, options) in enumerate((*WORKLOADS, COMPARED)):
        file = flows(ww, folder, number, count, options)
        slots = [ww, "fabric", "sim", str(file), "--rules", "published", "--hosts", str(HOSTS), "--workers", "1", "--json"]
        contenders = {"slots": slots}
        if number == len(WORKLOADS):
            contenders["events"] = [cell_events, str(file)]
        runs = {name: [] for name in contenders}
        for _ in range(rounds):
            for name, command in contenders.items():
                runs[name].append(measured(command))
        for name, results in runs.items():
            seconds = [result[1] for result in results]
            figures = results[0][0]
            # Slots of its own: without congestion control the flows end in other slots.
            rates = [figures["cell_slots"] / one for one in seconds]
            print(
                json.dumps({
                    "workload": workload, "flows": count, "simulator": name, "cell_slots": figures["cell_slots"],
                    "seconds": statistics.median(seconds), "rate": statistics.median(rates), "slowest": min(rates),
                    "fastest": max(rates), "bytes": max(result[2] for result in results),
                }),
                flush=True,
            )  # fmt: skip


if __name__ == "__main__":
    main()
