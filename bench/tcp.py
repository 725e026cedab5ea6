#!/usr/bin/env python3
"""Speed of the TCP/IP engine: tcp.py WW ROUNDS. Prints one JSON object a line.

`model` and `smoltcp`: segments of 1,460 bytes that both ends of a transfer carry in a second of the processor. Three
transfers are run in turn: from the model to itself, to smoltcp, and from smoltcp. What smoltcp takes at both ends is what the
second and the third take together, without the first. `hardware`: clocks a second of two hosts in simulation, from runs of
two lengths, so that the start counts for nothing. `sessions`: memory of two hosts with 10,000 open connections, buffers and
all. Of ROUNDS rounds the median counts. Standard library only.
"""

import json
import statistics
import sys

from processor import measured

SEGMENT = 1_460
SEGMENTS = 200_000
CLOCKS = (20_000, 320_000)
SESSIONS = 10_000


def transfer(ww, *options):
    command = [ww, "tcp", "pair", "--json", "--segment", SEGMENT, "--bytes", SEGMENT * SEGMENTS, *options]
    return measured(command)[1]


def hardware(ww):
    """Clocks a processor second, both hosts."""
    runs = [measured([ww, "tcp", "pair", "--engine", "rtl", "--json", "--cycles", count]) for count in CLOCKS]
    (short, start, _), (long, end, _) = runs
    return (long["clocks"] - short["clocks"]) / (end - start)


def summary(of, unit, values):
    return {"of": of, "unit": unit, "median": statistics.median(values), "least": min(values), "most": max(values)}


def main():
    ww, rounds = sys.argv[1], int(sys.argv[2])
    hardware(ww)  # The first run builds it.
    model, smoltcp, ratio, clocks = [], [], [], []
    for _ in range(rounds):
        own = transfer(ww)
        other = transfer(ww, "--peer", "smoltcp") + transfer(ww, "--peer", "smoltcp", "--direction", "receive") - own
        model.append(SEGMENTS / own)
        smoltcp.append(SEGMENTS / other)
        ratio.append(other / own)
        clocks.append(hardware(ww))
    _, _, memory = measured([ww, "tcp", "pair", "--json", "--sessions", SESSIONS, "--bytes", 1_000])
    for row in (
        summary("model", "segments/s", model),
        summary("smoltcp", "segments/s", smoltcp),
        summary("model to smoltcp", "ratio", ratio),
        summary("hardware", "clocks/s", clocks),
        summary("sessions", "bytes", [memory]),
    ):
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
