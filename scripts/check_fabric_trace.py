#!/usr/bin/env python3
"""Judges a trace of `ww fabric sim` by itself: the ways of cells, the queue bound, and the throughput.

    check_fabric_trace.py FLOWS TRACE --hosts N --delay K --slots S [--channels C] [--warmup W]

FLOWS and TRACE are the files of the run, K its delay in slots (a cell sent in slot t may leave the next host in slot
t + K), S the slots that it took. Of queues the trace shows the cells that are on a detour: each joins the queue at the end
of slot t + K - 1 and leaves in the slot of its next row. When a host's own cell joins is not shown, so each queue is
taken to hold one, the most that the rules `shoal` allow: the judgement is on the safe side. Sources of a destination count
from the start of a flow until the last of the pair's cells has arrived.

Prints a line of JSON: cells, throughput (cells on their last hop in slots from W on, for each host, slot and channel),
longest queue, violations of 1 + incast. Exit status 1 if there are violations, or a cell goes a way that no cell may go.
Nothing of the simulator is used. Standard library only.
"""

import argparse
import csv
import json
import sys
from collections import Counter, defaultdict, deque


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flows")
    parser.add_argument("trace")
    for name in ("hosts", "delay", "slots"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--channels", type=int, default=1)
    parser.add_argument("--warmup", type=int, default=0)
    options = parser.parse_args()

    starts = defaultdict(list)
    with open(options.flows, newline="") as file:
        for _, src, dst, cells, start in csv.reader(file):
            starts[int(start)].append((int(src), int(dst), int(cells)))
    sent = defaultdict(list)
    with open(options.trace, newline="") as file:
        for row in csv.DictReader(file):
            sent[int(row["slot"])].append(tuple(int(row[name]) for name in ("from", "to", "src", "dst", "seq")))

    wrong = []
    # Cells of a pair that have not arrived yet, and how many sources have some for a destination.
    open_cells, incast = Counter(), Counter()
    # Cells on a detour that wait at a host for a destination; how many hold for each destination.
    queues = defaultdict(deque)
    left = defaultdict(set)
    last_hops = longest = violations = cells = 0
    for slot in range(options.slots):
        for src, dst, count in starts[slot]:
            incast[dst] += open_cells[src, dst] == 0
            open_cells[src, dst] += count
        links = Counter()
        for at, to, src, dst, seq in sent[slot]:
            cells += 1
            links[at, to] += 1
            if at == src:
                if seq in left[src, dst]:
                    wrong.append(f"slot {slot}: cell {seq} of {src} to {dst} leaves its source twice")
                left[src, dst].add(seq)
            elif to != dst or not queues[at, dst] or queues[at, dst].popleft() != (src, seq):
                wrong.append(f"slot {slot}: host {at} sends cell {seq} of {src} to {dst} by a second detour or out of turn")
            last_hops += to == dst and slot >= options.warmup
        if any(count > 1 for count in links.values()):
            wrong.append(f"slot {slot}: two cells on one link")
        for _, to, src, dst, seq in sent[slot - options.delay + 1]:
            if to != dst:
                queues[to, dst].append((src, seq))
                continue
            if open_cells[src, dst] == 0:
                wrong.append(f"slot {slot}: more cells of {src} to {dst} arrive than there are")
            open_cells[src, dst] -= 1
            incast[dst] -= open_cells[src, dst] == 0
        for (_, dst), queue in queues.items():
            longest = max(longest, len(queue) + 1)
            violations += len(queue) > incast[dst]
    counted = (options.slots - options.warmup) * options.hosts * options.channels
    print(json.dumps({"cells": cells, "throughput": last_hops / counted if counted else 0, "longest": longest, "violations": violations}))
    for line in wrong[:10]:
        print(f"check_fabric_trace: {line}", file=sys.stderr)
    sys.exit(1 if wrong or violations else 0)


if __name__ == "__main__":
    main()
