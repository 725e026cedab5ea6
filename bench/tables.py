#!/usr/bin/env python3
"""Puts the results of bench/run.sh into pages: tables.py RESULTS PAGE..

A page has marks `<!-- table NAME -->` and `<!-- end -->`; what is between them is replaced. So no
figure in it was typed in. Standard library only.
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import results

MISSING = "*Not measured yet: `make bench`.*\n"

# Figures of the P4FPGA evaluation (H. Wang et al., "P4FPGA: A Rapid Prototyping Framework for P4",
# SOSR 2017): latency of its hardware at 250 MHz for 256-byte packets, by sweep and number.
PUBLISHED = {("headers", 16): "below 450 ns", **{("fields", n): "364 ns (91 cycles)" for n in (8, 16, 32, 64)}}


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def rate(mpps):
    return f"{mpps:.2f}" if mpps >= 0.1 else f"{mpps:.3f}"


def spread(result):
    return f"{result['fastest_ns']:.1f} to {result['slowest_ns']:.1f}"


def outputs(found, reference):
    """Whether a contender sent the same as the reference."""
    ours, theirs = found.get("output"), (reference or {}).get("output")
    if not ours or not theirs or found is reference:
        return "reference" if found is reference else ""
    if ours["hash"] == theirs["hash"]:
        return "same"
    return "same, other order" if ours["sum"] == theirs["sum"] else "**different**"


def contenders(folder, part, base):
    found = results.load(folder, part)
    if not found:
        return MISSING
    engines = results.by_engine(found)
    reference = engines.get("interp")
    ours = engines.get("jit")
    rows = []
    for result in sorted(engines.values(), key=lambda r: -r["mpps"]):
        ratio = f"{ours['mpps'] / result['mpps']:.2f}" if ours else ""
        rows.append(
            (results.name(result["engine"]), rate(result["mpps"]), f"{result['ns_per_packet']:.1f}", spread(result),
             ratio, outputs(result, reference))
        )  # fmt: skip
    text = table(
        ["contender", "million packets/s", "ns/packet", "fastest to slowest round, ns", "speedup of `jit`", "output"],
        rows,
    )
    copy = next((r["copy_ns"] for r in found if "copy_ns" in r), None)
    if copy is not None:
        text += f"\nOf the time of `ww`, {copy:.1f} ns are the copies of the frames.\n"
    base_engines = results.by_engine(results.load(folder, base)) if base else {}
    for engine in ("jit", "yardstick"):
        if engine in base_engines and engine in engines:
            percent = 100 * engines[engine]["mpps"] / base_engines[engine]["mpps"]
            text += f"\n{results.name(engine)}: {percent:.0f} % of its rate with 10,000 routes.\n"
    return text


def hits(folder):
    found = results.load(folder, "l2l3")
    tables = next((r["tables"] for r in found if r.get("tables")), None)
    if not tables:
        return MISSING
    sample = next(r["sample"] for r in found if r.get("tables"))
    rows = [(f"`{name}`", t["lookups"], t["hits"], f"{100 * t['hit_rate']:.1f} %") for name, t in tables.items()]
    return f"The first {sample} frames:\n\n" + table(["table", "lookups", "hits", "rate"], rows)


def loading(folder):
    rows = []
    for part, what in (("l2l3", "10,000 IPv4 routes"), ("million", "1,000,000 IPv4 routes"), ("ipv6", "10,000 IPv6 routes")):
        for result in results.load(folder, part):
            if "compile_ms" in result:
                rows.append(
                    (what, result["engine"], f"{result['front_end_ms']:.1f}", f"{result['compile_ms']:.1f}",
                     f"{result['entries_ms'] / 1e3:.2f}")
                )  # fmt: skip
    heads = ["workload", "engine", "front end, ms", "loading the program, ms", "entries, s"]
    return table(heads, rows) if rows else MISSING


def programs(folder):
    found = results.load(folder, "programs")
    if not found:
        return MISSING
    by_name = {}
    for result in found:
        by_name.setdefault(result["program"], {})[result["engine"]] = result
    rows = []
    for program, engines in by_name.items():
        interp, jit = engines.get("interp"), engines.get("jit")
        rows.append(
            (f"`{program}`", rate(interp["mpps"]) if interp else "", rate(jit["mpps"]) if jit else "",
             f"{jit['ns_per_packet']:.1f}" if jit else "", f"{jit['mpps'] / interp['mpps']:.0f}" if jit and interp else "")
        )  # fmt: skip
    return table(["program", "`interp`, Mpps", "`jit`, Mpps", "`jit`, ns/packet", "speedup"], rows)


def micro(folder):
    found = results.load(folder, "micro")
    if not found:
        return MISSING
    points = {}
    for result in found:
        points.setdefault((result["kind"], result["count"]), {})[result["engine"]] = result
    rows = []
    for (kind, count), engines in points.items():
        cells = [f"{engines[e]['ns_per_packet']:.1f}" if e in engines else "" for e in ("interp", "jit")]
        rate_cell = rate(engines["jit"]["mpps"]) if "jit" in engines else ""
        what = {"fields": "field writes"}.get(kind, kind)
        rows.append((what, count or "", *cells, rate_cell, PUBLISHED.get((kind, count), "")))
    heads = ["sweep", "number", "`interp`, ns/packet", "`jit`, ns/packet", "`jit`, Mpps", "P4FPGA: latency of the hardware"]
    return table(heads, rows)


def workers(folder):
    found = results.load(folder, "workers")
    if not found:
        return MISSING
    rows = [(r["workers"], rate(r["one_mpps"]), rate(r["mpps"]), f"{r['ratio']:.2f}") for r in found]
    return table(["workers", "one alone, Mpps", "all, Mpps", "ratio"], rows)


def veth(folder):
    found = results.by_engine(results.load(folder, "veth"))
    if not found:
        return MISSING
    bare = found.get("forward", {}).get("mpps")
    rows = []
    for engine, r in found.items():
        ratio = f"{100 * r['mpps'] / bare:.0f} %" if bare else ""
        rows.append((results.name(engine), rate(r["mpps"]), rate(r["offered_mpps"]), f"{r['cpu_us_per_packet']:.2f}", ratio))
    heads = ["forwarder", "million packets/s", "offered", "CPU µs/packet", "of the bare forwarder"]
    return table(heads, rows)


def machine(folder):
    m = results.machine(folder)
    if not m:
        return MISSING
    caches = ", ".join(f"{level} {size}" for level, size in m["caches"].items())
    virtual = "a virtual machine, " if m["hypervisor"] else ""
    rows = [
        ("processor", f"{m['cpu']} (family, model, stepping {' '.join(m['family_model_stepping'])}), {m['mhz']} MHz; {virtual}{m['cores']} cores"),
        ("caches", caches),
        ("kernel", m["kernel"]),
        ("compilers", f"{m['rustc']}; {m['cc']}"),
        ("DPDK", m["dpdk"]),
        ("load before the start", f"{m['load_average']:.1f}"),
        ("date, commit", f"{m['date']}, {m['commit']}"),
    ]
    return table(["", ""], rows)


def bound(folder):
    found = results.load(folder, "bound")
    if not found:
        return MISSING
    rows = []
    for r in found:
        measured = results.by_engine(results.load(folder, r["part"])).get(r["engine"])
        cycles = f"{measured['ns_per_packet'] * r['ghz']:.0f}" if measured else ""
        per_cycle = f"{r['instructions'] / (measured['ns_per_packet'] * r['ghz']):.2f}" if measured else ""
        rows.append(
            (results.name(r["engine"]), r["part"], f"{r['instructions']:.0f}", cycles, per_cycle, f"{r['data_reads']:.0f}",
             f"{r['data_writes']:.0f}", f"{r['d1_misses']:.2f}",
            # A difference of two runs: below zero it is noise.
            f"{max(0.0, r['ll_misses']):.2f}")
        )  # fmt: skip
    heads = ["contender", "workload", "instructions", "cycles", "instructions/cycle", "data reads", "data writes",
             "L1 misses", "last-level misses"]  # fmt: skip
    return "A packet takes:\n\n" + table(heads, rows)


def fabric(folder):
    found = results.load(folder, "fabric")
    if not found:
        return MISSING
    names = {"slots": "`ww fabric sim`", "events": "event simulation of each cell"}
    slots = {(r["workload"], r["flows"]): r["rate"] for r in found if r["simulator"] == "slots"}
    rows = [
        (r["workload"], f"{r['flows']:,}", names[r["simulator"]], f"{r['rate'] / 1e6:.1f}",
         f"{r['slowest'] / 1e6:.1f} to {r['fastest'] / 1e6:.1f}", f"{r['bytes'] / 1e6:.0f}",
         f"{slots[r['workload'], r['flows']] / r['rate']:.1f}")
        for r in found
    ]  # fmt: skip
    heads = ["flows are", "flows", "simulator", "million cell-slots/s", "slowest to fastest round", "MB", "speedup of `ww fabric sim`"]
    return table(heads, rows)


def tcp(folder):
    found = {r["of"]: r for r in results.load(folder, "tcp")}
    if not found:
        return MISSING
    what = {
        "model": ("the model at both ends, 1,460 bytes a segment", "thousand segments/s", 1e-3),
        "smoltcp": ("smoltcp at both ends, the same transfer", "thousand segments/s", 1e-3),
        "model to smoltcp": ("the model beside smoltcp", "times", 1),
        "hardware": ("two hosts in hardware, simulated", "thousand clocks/s", 1e-3),
        "sessions": ("two hosts of the model, 10,000 connections, buffers included", "MB", 1e-6),
    }
    rows = []
    for of, (label, unit, scale) in what.items():
        figures = [f"{found[of][key] * scale:,.{2 if scale == 1 else 0}f}" for key in ("median", "least", "most")]
        rows.append((label, unit, *figures))
    return table(["what", "in", "median", "least", "most"], rows)


# Rates of BMv2's `simple_switch` in million packets/s, slowest and fastest program, measured by hand in
# November 2026 on the kind of machine that docs/performance.md describes; bench/veth.sh measures it
# anew where `simple_switch` is on the path.
BMV2 = (0.031, 0.055)


def front(folder):
    """The README's table: one task for all, and what others report."""
    contenders = results.by_engine(results.load(folder, "l2l3"))
    exact = results.by_engine(results.load(folder, "exact"))
    interfaces = results.by_engine(results.load(folder, "veth"))
    if not contenders or not exact:
        return MISSING
    lpm, exact_only = "L2/L3 switch, 10,000 routes", "the same, exact tables only"
    rows = [(results.name(engine), what, rate(found[engine]["mpps"]))
            for engine, what, found in [
                ("yardstick", lpm, contenders), ("dpdk-lpm", lpm, contenders), ("jit", lpm, contenders),
                ("dpdk-swx-wildcard", lpm, contenders), ("jit", exact_only, exact), ("dpdk-swx", exact_only, exact)]
            if engine in found]  # fmt: skip
    # A packet a clock is what `scripts/published.py l2l3` asserts, in clocks of the simulated design.
    rows.append(("`ww build`, SystemVerilog", "L2/L3 switch, 512 bits a beat, simulated: a packet a clock", "250 at 250 MHz"))
    rows.append(("P4FPGA on an FPGA, published 2017", "its L2/L3 switch, 4 x 10 Gb/s at 250 MHz", "59.5 (line rate)"))
    measured = [f"{rate(interfaces[name]['mpps'])} ({program})"
                for name, program in (("empty-bmv2", "empty program"), ("l2l3-bmv2", "L2/L3 switch")) if name in interfaces]
    quoted = f"{BMV2[0]:.3f} to {BMV2[1]:.3f} (November 2026)"
    rows.append(("BMv2 `simple_switch`", "P4 programs on veth interfaces", ", ".join(measured) or quoted))
    if "l2l3-jit" in interfaces:
        limit = f" of {rate(interfaces['forward']['mpps'])} that the kernel passes on" if "forward" in interfaces else ""
        rows.append((results.name("l2l3-jit"), "L2/L3 switch on veth interfaces", rate(interfaces["l2l3-jit"]["mpps"]) + limit))
    return table(["what runs", "task", "million packets/s"], rows)


TABLES = {
    "front": front,
    "machine": machine,
    "l2l3": lambda f: contenders(f, "l2l3", None),
    "hits": hits,
    "million": lambda f: contenders(f, "million", "l2l3"),
    "ipv6": lambda f: contenders(f, "ipv6", None),
    "exact": lambda f: contenders(f, "exact", None),
    "loading": loading,
    "programs": programs,
    "micro": micro,
    "workers": workers,
    "veth": veth,
    "bound": bound,
    "fabric": fabric,
    "tcp": tcp,
}


def main():
    folder = Path(sys.argv[1])

    def fill(match):
        return f"<!-- table {match[1]} -->\n\n{TABLES[match[1]](folder)}\n<!-- end -->"

    for page in map(Path, sys.argv[2:]):
        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(r"<!-- table (\w+) -->.*?<!-- end -->", fill, text, flags=re.S), encoding="utf-8")


if __name__ == "__main__":
    main()
