#!/usr/bin/env python3
"""Check with networkx that the switches of an Opera that do not turn are an expander in every slice.

    check_expanders.py --ww WW [--hosts N --channels C [--every SLICES]]

Without --hosts: 16 hosts with 4 channels, 64 with 4, 108 with 6, and 512 with 4, of which one slice in 37 is looked at.

`ww fabric matchings` prints what each switch holds; which of it is shown when is counted here, turn by turn: at the end of
slice s switch s mod C turns to its next matching, and in that slice nobody may relay over it. Checked of each slice: its
other circuits connect all hosts with all others; the longest shortest way between two hosts, by networkx, is the one that
`ww` prints for the slice, and no longer than the longest one of five graphs of as many random permutations, which are
expanders, with one hop more.

Exit status: 0 all holds, 1 something does not, 2 wrong usage. Needs networkx, which scripts/setup.sh installs.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import networkx

NETWORKS = ((16, 4, 1), (64, 4, 1), (108, 6, 1), (512, 4, 37))

# Random graphs to compare with.
GRAPHS = 5


class Wrong(Exception):
    """What does not hold."""


def report(ww, hosts, channels):
    """The matchings, as `ww` prints them. Opera's do not depend on flows, but the command wants some."""
    with tempfile.TemporaryDirectory() as folder:
        flows = Path(folder) / "flows.csv"
        flows.write_text("0,0,1,1,0\n")
        options = ["--rules", "opera", "--hosts", str(hosts), "--channels", str(channels)]
        ran = subprocess.run([ww, "fabric", "matchings", flows, *options], capture_output=True, text=True)
    if ran.returncode:
        raise Wrong(f"{hosts} hosts, {channels} channels: {ran.stderr.strip()}")
    return json.loads(ran.stdout)


def slices(switches):
    """The graph of each slice of a cycle: circuits of all switches but the one that turns at its end."""
    channels, places = len(switches), len(switches[0])
    shown = [0] * channels
    for slice_ in range(places * channels):
        turns = slice_ % channels
        graph = networkx.DiGraph()
        graph.add_nodes_from(range(len(switches[0][0])))
        for switch in range(channels):
            if switch != turns:
                peers = switches[switch][shown[switch]]
                graph.add_edges_from((host, peer) for host, peer in enumerate(peers) if peer is not None)
        yield turns, graph
        shown[turns] = (shown[turns] + 1) % places


def random_diameter(hosts, permutations, drawn):
    """The longest shortest way in a graph of random permutations."""
    while True:
        graph = networkx.DiGraph()
        for _ in range(permutations):
            graph.add_edges_from(enumerate(drawn.sample(range(hosts), hosts)))
        if networkx.is_strongly_connected(graph):
            return networkx.diameter(graph)


def check(ww, hosts, channels, every=1):
    """Checks one slice of `every`. Returns how often each diameter was found, and the longest in random graphs."""
    printed = report(ww, hosts, channels)
    drawn = random.Random(hosts * 100 + channels)
    longest = max(random_diameter(hosts, channels - 1, drawn) for _ in range(GRAPHS))
    found = {}
    for number, (turns, graph) in enumerate(slices(printed["switches"])):
        if number % every:
            continue
        where = f"{hosts} hosts, {channels} channels, slice {number}"
        if not networkx.is_strongly_connected(graph):
            raise Wrong(f"{where}: expected ways between all hosts while switch {turns} turns, found none between some")
        diameter = networkx.diameter(graph)
        expected = {"turns": turns, "diameter": diameter}
        if printed["slices"][number] != expected:
            raise Wrong(f"{where}: expected {expected}, found {printed['slices'][number]}")
        if diameter > longest + 1:
            raise Wrong(f"{where}: expected a diameter of at most {longest + 1}, as of random graphs, found {diameter}")
        found[diameter] = found.get(diameter, 0) + 1
    return found, longest


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ww", required=True)
    parser.add_argument("--hosts", type=int)
    parser.add_argument("--channels", type=int)
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    if (arguments.hosts is None) != (arguments.channels is None) or arguments.every < 1:
        parser.error("expected --hosts and --channels together, and --every 1 or more")
    networks = NETWORKS
    if arguments.hosts is not None:
        networks = ((arguments.hosts, arguments.channels, arguments.every),)
    for hosts, channels, every in networks:
        found, longest = check(arguments.ww, hosts, channels, every)
        counted = ", ".join(f"{diameter} hops in {count}" for diameter, count in sorted(found.items()))
        print(f"{hosts} hosts, {channels} switches: {sum(found.values())} slices, diameter {counted}; random graphs: at most {longest}")


if __name__ == "__main__":
    try:
        main()
    except Wrong as wrong:
        sys.exit(f"error: {wrong}")
