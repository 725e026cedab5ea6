"""Histories of packets in a store that DuckDB reads: SQL finds what `ww tpp ndb` finds."""

import json
import os
import subprocess
from pathlib import Path

import duckdb
import pytest

ROOT = Path(__file__).resolve().parents[3]
WW = os.environ.get("WW", str(ROOT / "target/debug/ww"))

# Switches are numbered with all nodes, from 1: leaves 1 and 2, spines 3 and 4. Hosts 10.0.0.1 and .2 are at leaf 1, their
# ports 0 and 1; ports 2 and 3 lead to the spines, whose ports 0 and 1 lead to the leaves.
LAB = """
title = "Two leaves, two spines"
[run]
duration = "20 ms"
drain = "5 ms"
[topology]
kind = "leaf-spine"
leaves = 2
spines = 2
hosts = 2
edge = { rate = "1 Gb/s", delay = "1 us" }
core = { rate = "1 Gb/s", delay = "1 us" }
[transport.short]
kind = "udp"
bytes = "1400 B"
rate = "100 Mb/s"
[[traffic]]
name = "short"
kind = "flows"
rate = "5000 /s"
sizes = "5 KB"
transport = "short"
[tpp]
[[tpp.app]]
name = "ways"
kind = "collect"
program = '''
PUSH [Switch:SwitchID]
PUSH [PacketMetadata:InputPort]
PUSH [PacketMetadata:OutputPort]
'''
"""

# A query of ndb, and the histories it is about in SQL, of lists of switches and ports.
QUERIES = {
    "^ 1 . 2 $": "switches[1] = 1 and len(switches) = 3 and switches[3] = 2",
    "4": "list_contains(switches, 4)",
    "^ {switch=1, in-port=0, out-port=3} .* $": "switches[1] = 1 and ins[1] = 0 and outs[1] = 3",
    "3 | 4": "list_contains(switches, 3) or list_contains(switches, 4)",
    "^ . $": "len(switches) = 1",
    ".* where -s 10.0.0.2 -d 10.0.0.3": "source = '10.0.0.2' and destination = '10.0.0.3'",
    "^ 2 .* where -d 10.0.0.1": "switches[1] = 2 and destination = '10.0.0.1'",
    "1 .* 1": "len(list_filter(switches, lambda s: s = 1)) > 1",
}

WAYS = """
create table ways as select time_ps, source, destination, source_port, destination_port,
    list(switch order by hop) switches, list(in_port order by hop) ins, list(out_port order by hop) outs
from read_parquet(?) group by history, 1, 2, 3, 4, 5
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store of a lab: `histories.parquet`."""
    folder = tmp_path_factory.mktemp("histories")
    (folder / "lab.toml").write_text(LAB)
    subprocess.run([WW, "lab", "run", folder, "--out", folder / "out"], check=True, capture_output=True)
    return folder / "out/histories.parquet"


@pytest.fixture(scope="module")
def ways(store):
    """The histories, one a row."""
    connection = duckdb.connect()
    connection.execute(WAYS, [str(store)])
    return connection


def found_by_sql(ways, condition):
    rows = ways.sql(f"select time_ps, source, destination, source_port, switches, ins, outs from ways where {condition}")
    return sorted((*row[:4], *map(tuple, row[4:])) for row in rows.fetchall())


def found_by_ndb(query, *stores):
    # 1: nothing was found.
    done = subprocess.run([WW, "tpp", "ndb", "--json", query, *stores], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]

    def way(one, key):
        return tuple(hop[key] for hop in one["hops"])

    return sorted(
        (
            *(one[key] for key in ("time_ps", "source", "destination")),
            one["ports"][0],
            *(way(one, key) for key in ("switch", "in_port", "out_port")),
        )
        for one in found
    )


@pytest.mark.parametrize("query", QUERIES)
def test_sql_finds_what_ndb_finds(store, ways, query):
    found = found_by_ndb(query, store)
    assert found == found_by_sql(ways, QUERIES[query])
    assert bool(found) == (query != "1 .* 1"), "none comes by a leaf twice, and of all others there are some"


def test_ways_are_those_of_the_addresses(store, ways):
    """Between hosts of different leaves packets cross one spine: known from the topology."""
    here, there = "('10.0.0.1', '10.0.0.2')", "('10.0.0.3', '10.0.0.4')"
    across = found_by_sql(ways, f"source in {here} and destination in {there}")
    assert across == found_by_ndb("^ 1 (3 | 4) 2 $", store)
    # A collected packet has a row for each hop, and the lab says how many packets that were.
    results = json.loads((store.parent / "results.json").read_text())
    [(histories, hops)] = ways.sql("select count(*), sum(len(switches)) from ways").fetchall()
    figures = results["results"]["tpp"]["ways"]
    assert (histories, hops / histories) == (figures["collected"]["value"], pytest.approx(figures["mean_hops"]["value"]))


def test_profiles_are_sums_by_sql(store):
    """`ww tpp profile` counts packets and bytes of all histories and of the largest flows, as SQL does."""
    done = subprocess.run([WW, "tpp", "profile", "--json", store], capture_output=True, text=True, check=True)
    profile = json.loads(done.stdout)
    packets = "(select distinct * from (select history, source, destination, source_port, length from read_parquet($1)))"
    total = duckdb.execute(f"select count(*), sum(length)::bigint from {packets}", [str(store)]).fetchone()
    assert (profile["all"]["packets"], profile["all"]["bytes"]) == total
    grouped = "source, destination, source_port"
    sums = duckdb.execute(
        f"select {grouped}, count(*), sum(length)::bigint from {packets} group by {grouped}", [str(store)]
    )
    sums = {tuple(row[:3]): tuple(row[3:]) for row in sums.fetchall()}
    assert profile["flows"]
    for one in profile["flows"]:
        flow = (one["flow"]["source"], one["flow"]["destination"], one["flow"]["ports"][0])
        assert sums[flow] == (one["packets"], one["bytes"])
