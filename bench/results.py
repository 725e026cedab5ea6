"""Reads bench/results."""

import json
from pathlib import Path

# How contenders are called where people read.
NAMES = {
    "jit": "`ww`, engine `jit`",
    "interp": "`ww`, engine `interp`",
    "yardstick": "hand-written Rust loop",
    "dpdk-lpm": "C loop on rte_hash, rte_acl, rte_lpm",
    "dpdk-fib": "C loop on rte_hash, rte_acl, rte_fib",
    "dpdk-swx": "DPDK SWX pipeline, exact tables",
    "dpdk-swx-wildcard": "DPDK SWX pipeline, LPM as wildcard",
    "forward": "bare AF_PACKET forwarder",
    "empty-jit": "`ww run`, empty program, `jit`",
    "empty-interp": "`ww run`, empty program, `interp`",
    "l2l3-jit": "`ww run`, l2l3, `jit`",
    "l2l3-interp": "`ww run`, l2l3, `interp`",
    "empty-bmv2": "BMv2 `simple_switch`, empty program",
    "l2l3-bmv2": "BMv2 `simple_switch`, l2l3",
}


def load(folder, name):
    """The results of one part; empty if it was not run."""
    path = Path(folder) / f"{name}.json"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def machine(folder):
    path = Path(folder) / "machine.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def by_engine(results):
    """The last result of each engine."""
    return {result["engine"]: result for result in results}


def name(engine):
    return NAMES.get(engine, engine)
