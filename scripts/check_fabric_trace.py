#!/usr/bin/env python3
"""Recompute the queue bound and the share of capacity of a fabric from its flows and its trace alone.

    check_fabric_trace.py FLOWS TRACE --hosts N --epoch-slots P [--delay K] [--channels C] [--slots S] [--warmup W]
                          [--share LEAST] [--json]

FLOWS has lines id,src,dst,cells,start_slot, TRACE is what `ww fabric sim --trace` writes: slot,from,to,src,dst,seq, a row
for each cell that was sent, by slot. K is the delay in slots: a cell that is sent in slot t arrives at the end of slot
t+K-1. S is the number of slots of the run (default: up to the last row), W those that do not count for the share.

Checked of each row: it is in order; a host sends at most C cells a slot and each pair of hosts meets in one slot of an
epoch; a cell is not sent before its flow has started; each seq of a pair is sent once; a cell takes at most one detour,
waits K slots or more at the host between, and leaves each queue in the order in which it joined.

Bound: at the end of a slot a queue to k has at most 1 + incast(k) cells, incast(k) being the sources with a flow to k that
has started and of which not all cells have arrived. When cells of a host's own join its queue is not in the trace. One
of them is counted in every queue at all times, as the rules `shoal` allow no more: what is found is at least what there
is. Share: cells on their last hop, of N/2 a host and epoch, which is the capacity for permutations.

Exit status: 0 all holds, 1 something does not, 2 wrong usage. Standard library only; no code of the simulator.
"""

import argparse
import collections
import csv
import json
import sys

HEADER = ["slot", "from", "to", "src", "dst", "seq"]


class Wrong(Exception):
    """What does not hold."""


class Pair:
    """What is known of a source and a destination."""

    def __init__(self):
        self.started = 0  # cells of flows that have started
        self.sent = 0  # cells that have left the source
        self.received = 0

    def unfinished(self):
        return self.received < self.started


class Fabric:
    """The queues of all hosts, rebuilt from rows."""

    def __init__(self, flows, hosts, epoch_slots, delay, channels, warmup):
        self.flows = collections.deque(sorted(flows, key=lambda flow: flow[4]))
        self.hosts, self.epoch_slots, self.delay = hosts, epoch_slots, delay
        self.channels, self.warmup = channels, warmup
        self.pairs = collections.defaultdict(Pair)
        self.numbers = {}  # of a pair: the first seq that was not sent, and those sent behind it
        self.incast = [0] * hosts
        # Remote cells: queues[host, to] has (src, seq) in the order of arrival.
        self.queues = collections.defaultdict(collections.deque)
        self.meetings = {}
        self.underway = collections.deque()  # (slot in which they arrive, rows)
        self.over = set()
        self.violations = 0
        self.longest = 0
        self.last_hops = 0

    def judge(self, queue):
        """Is a queue over its bound, with one local cell? 1 + remote > 1 + incast."""
        if len(self.queues[queue]) > self.incast[queue[1]]:
            self.over.add(queue)
        else:
            self.over.discard(queue)

    def judge_all_to(self, host):
        for other in range(self.hosts):
            if (other, host) in self.queues:
                self.judge((other, host))

    def start(self, slot):
        while self.flows and self.flows[0][4] <= slot:
            _, src, dst, cells, _ = self.flows.popleft()
            pair = self.pairs[src, dst]
            if not pair.unfinished():
                self.incast[dst] += 1
                self.judge_all_to(dst)
            pair.started += cells

    def number(self, pair, seq):
        """Cells are numbered when they join a queue, and queues differ, so numbers leave in any order."""
        numbers = self.numbers.setdefault(pair, [0, set()])
        if seq < numbers[0] or seq in numbers[1]:
            raise Wrong(f"expected each seq of {pair[0]}->{pair[1]} once, found {seq} again")
        numbers[1].add(seq)
        while numbers[0] in numbers[1]:
            numbers[1].remove(numbers[0])
            numbers[0] += 1

    def send(self, slot, sender, to, src, dst, seq):
        hosts = range(self.hosts)
        if not all(host in hosts for host in (sender, to, src, dst)):
            raise Wrong(f"expected hosts 0 to {self.hosts - 1}")
        phase = slot % self.epoch_slots
        if self.meetings.setdefault((sender, to), phase) != phase:
            raise Wrong(f"expected {sender} to meet {to} in slot {self.meetings[sender, to]} of an epoch, found {phase}")
        if sender == src:
            self.number((src, dst), seq)
            pair = self.pairs[src, dst]
            pair.sent += 1
            if pair.sent > pair.started:
                raise Wrong(f"expected {pair.started} cells of {src}->{dst} at most, found one more")
        else:
            if to != dst:
                raise Wrong(f"expected one detour, found a second one of {src}->{dst}")
            queue = self.queues[sender, to]
            if not queue or queue[0] != (src, seq):
                raise Wrong(f"expected {queue[0] if queue else 'nothing'} at the head of {sender}->{to}, found {(src, seq)}")
            queue.popleft()
            self.judge((sender, to))
        if to == dst and slot >= self.warmup:
            self.last_hops += 1

    def arrive(self, row):
        _, _, to, src, dst, seq = row
        if to != dst:
            queue = self.queues[to, dst]
            queue.append((src, seq))
            self.longest = max(self.longest, len(queue))
            self.judge((to, dst))
            return
        pair = self.pairs[src, dst]
        pair.received += 1
        if not pair.unfinished():
            self.incast[dst] -= 1
            self.judge_all_to(dst)

    def slot(self, slot, rows):
        """All of a slot: rows of (line, row)."""
        self.start(slot)
        counts = collections.Counter()
        for line, row in rows:
            counts[row[1]] += 1
            try:
                if counts[row[1]] > self.channels:
                    raise Wrong(f"expected {self.channels} cells a slot of host {row[1]} at most, found one more")
                self.send(*row)
            except Wrong as wrong:
                raise Wrong(f"line {line}: {wrong}") from None
        if rows:
            self.underway.append((slot + self.delay - 1, rows))
        if self.underway and self.underway[0][0] == slot:
            for line, row in self.underway.popleft()[1]:
                try:
                    self.arrive(row)
                except Wrong as wrong:
                    raise Wrong(f"line {line}: {wrong}") from None
        self.violations += len(self.over)


def numbers(name, rows, fields):
    """The rows of a CSV file as integers, each with its line."""
    for line, row in rows:
        try:
            values = tuple(int(value) for value in row)
        except ValueError:
            values = ()
        if len(values) != fields or min(values) < 0:
            raise Wrong(f"{name}: line {line}: expected {fields} integers, found {','.join(row)[:80]}")
        yield line, values


def read_flows(path):
    with open(path, newline="") as file:
        return [flow for _, flow in numbers(path, enumerate(csv.reader(file), 1), 5)]


def slots_of(path, rows):
    """Groups of rows: the slot, and its rows with their lines. Checks the order."""
    slot, group = None, []
    for line, row in numbers(path, rows, len(HEADER)):
        if slot is not None and row[0] < slot:
            raise Wrong(f"{path}: line {line}: expected slot {slot} or later, found {row[0]}")
        if row[0] != slot and group:
            yield slot, group
            group = []
        slot = row[0]
        group.append((line, row))
    if group:
        yield slot, group


def check(flows, trace, hosts, epoch_slots, delay=1, channels=1, slots=None, warmup=0):
    """The figures of a run. Raises Wrong if the trace cannot be that of a fabric."""
    fabric = Fabric(read_flows(flows), hosts, epoch_slots, delay, channels, warmup)
    now, rows_seen = 0, 0
    with open(trace, newline="") as file:
        reader = csv.reader(file)
        header = next(reader, [])
        if header != HEADER:
            raise Wrong(f"{trace}: line 1: expected {','.join(HEADER)}, found {','.join(header)[:80]}")
        for slot, rows in slots_of(trace, enumerate(reader, 2)):
            while now < slot:
                fabric.slot(now, [])
                now += 1
            fabric.slot(slot, rows)
            now, rows_seen = slot + 1, rows_seen + len(rows)
    if slots is not None and slots < now:
        raise Wrong(f"{trace}: expected {slots} slots, found a row of slot {now - 1}")
    while slots is not None and now < slots:
        fabric.slot(now, [])
        now += 1
    counted = max(now - warmup, 0)
    capacity = counted * hosts * hosts / 2 / epoch_slots
    return {
        "slots": now,
        "cells": rows_seen,
        "last_hops": fabric.last_hops,
        "share": fabric.last_hops / capacity if capacity else None,
        "remote_cells_max": fabric.longest,
        "bound_violations": fabric.violations,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("flows", metavar="FLOWS")
    parser.add_argument("trace", metavar="TRACE")
    parser.add_argument("--hosts", type=int, required=True)
    parser.add_argument("--epoch-slots", type=int, required=True)
    parser.add_argument("--delay", type=int, default=1)
    parser.add_argument("--channels", type=int, default=1)
    parser.add_argument("--slots", type=int)
    parser.add_argument("--warmup", type=int, default=0)
    parser.add_argument("--share", type=float, help="the least share that is right")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    for name in ("hosts", "epoch_slots", "delay", "channels"):
        if getattr(arguments, name) < 1:
            parser.error(f"--{name.replace('_', '-')}: expected 1 or more, found {getattr(arguments, name)}")
    try:
        figures = check(
            arguments.flows,
            arguments.trace,
            arguments.hosts,
            arguments.epoch_slots,
            arguments.delay,
            arguments.channels,
            arguments.slots,
            arguments.warmup,
        )
    except (Wrong, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    if arguments.json:
        print(json.dumps(figures))
    else:
        print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in figures.items()))
    holds = figures["bound_violations"] == 0
    if arguments.share is not None and (figures["share"] or 0) < arguments.share:
        print(f"expected a share of {arguments.share} or more, found {figures['share']}", file=sys.stderr)
        holds = False
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
