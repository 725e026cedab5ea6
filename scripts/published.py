#!/usr/bin/env python3
"""Our hardware beside what P4FPGA (H. Wang, 2017) published, with bounds that must hold.

    published.py [--ww PATH] [--all] [--table] [NAME ...]

Names: fields, chain, headers, tables, empty, l2l3, latency, mdp, paxos, memories; all of them if
none is given. Clocks come from `ww report`: a model of the generated SystemVerilog under
Verilator, at 512 bits unless it says otherwise; times are clocks of 4 ns (250 MHz, the published
clock), not measured frequencies. That the programs do what they should is tested beside it, by
tests whose expected packets come from models in Python, on interp and on rtl at pace `both`.

--all measures every size and every step of the sweeps; without it, a choice that takes a minute.
--table prints the table of docs/p4-to-rtl.md. `memories` needs the Python of target/venv
(WW_PYTHON) with pyosys. Exit status: 0 all bounds hold, 1 not. Standard library only.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
PROGRAMS = SCRIPTS.parent / "p4" / "programs"
sys.path.insert(0, str(SCRIPTS))

import pcap_file

NS = 4  # a clock at 250 MHz
WIRE = 24  # bytes a frame takes on the wire beyond those on the bus: FCS, preamble, gap


class Failed(Exception):
    """A bound that does not hold, or a command that fails."""


def demand(holds, text):
    if not holds:
        raise Failed(text)


def beats(size, width=512):
    return -(-size * 8 // width)


class Examination:
    """Runs `ww`, and keeps what is to be printed."""

    def __init__(self, ww, everything, folder):
        self.ww, self.everything, self.folder = ww, everything, Path(folder)
        self.rows = []

    def row(self, what, published, ours, command):
        """A row of the table."""
        self.rows.append((what, published, ours, command))

    def call(self, *arguments):
        command = [str(self.ww), *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        demand(done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def report(self, program, *options, sizes=None):
        """The report, and in it `by`: what was measured by size."""
        sizes = ["--sweep-all"] if sizes is None else ["--sizes", ",".join(map(str, sizes))]
        report = json.loads(self.call("report", program, "--json", *sizes, *options))
        report["by"] = {size["bytes"]: size for size in report["sizes"]}
        return report

    def micro(self, *arguments):
        """A synthetic program: its folder. Its test passes on both engines."""
        folder = self.folder / "_".join(arguments).replace("--", "")
        command = [sys.executable, str(SCRIPTS / "micro.py"), *arguments, "--out", str(folder)]
        subprocess.run(command, check=True)
        for engine in (["interp"], ["rtl", "--pace", "both"]):
            self.call("stf", folder / "micro.p4", folder / "micro.stf", "--engine", *engine)
        return folder

    def micro_report(self, *arguments):
        """What was measured of a synthetic program with frames of 256 bytes on the wire."""
        folder = self.micro(*arguments)
        options = ["--entries", folder / "entries.txt", "--pcap", f"0={folder}/in.0.pcap"]
        size = self.report(folder / "micro.p4", *options, sizes=[252])["by"][252]
        demand(is_line_rate(size), f"micro.py {' '.join(arguments)}: {size['stream']}")
        return size["alone"]


def is_line_rate(size):
    """All packets came out, one frame each, and the bus was never idle."""
    stream = size["stream"]
    return stream["frames_out"] == stream["packets"] and stream["clocks_per_packet"] == stream["bound"]


def inside(alone):
    """Clocks from the head to the new headers, and parser and tables one by one."""
    stages = alone["stages"]
    return stages["parser"] + stages["match_action"]


def spans(values):
    return f"{min(values)}" if min(values) == max(values) else f"{min(values)} to {max(values)}"


def fields(exam):
    """Check 17: as many independent writes as one likes take the same clocks."""
    counts = [8, 16, 32, 64] if exam.everything else [8, 64]
    clocks = [exam.micro_report("fields", str(n), "--record", "64")["first_bit"] for n in counts]
    demand(len(set(clocks)) == 1, f"{counts} field writes take {clocks} clocks to the first bit")
    demand(clocks[0] <= 91, f"{clocks[0]} clocks, published 91")
    exam.row(
        "8 to 64 field writes in one action (F3.10), first bit",
        "91 clocks (364 ns) for all",
        f"{clocks[0]} clocks ({clocks[0] * NS} ns) for all",
        "published.py fields",
    )


def chain(exam):
    """Check 17: a sum that needs the one before costs one clock. The first one shares its clock
    with the choice between the action's result and the old value."""
    counts = [1, 2, 3, 4, 8, 16] if exam.everything else [2, 3, 8]
    clocks = {n: inside(exam.micro_report("chain", str(n))) for n in counts}
    demand(all(n < 2 or c == clocks[2] + n - 2 for n, c in clocks.items()), f"sums: clocks {clocks}")
    demand(clocks.get(1, clocks[2]) in (clocks[2] - 1, clocks[2]), f"sums: clocks {clocks}")
    exam.row(
        "a true dependency (a sum of a sum)",
        "one stage each",
        f"one clock each ({max(counts)} sums: {clocks[max(counts)] - clocks[2]} clocks more than 2)",
        "published.py chain",
    )


def headers(exam):
    """Check 18: 16 headers of 16 bits in at most 450 ns."""
    counts = [0, 1, 2, 4, 8, 12, 16] if exam.everything else [1, 16]
    alone = {n: exam.micro_report("headers", str(n)) for n in counts}
    firsts = [alone[n]["first_bit"] for n in counts]
    demand(firsts == sorted(firsts) and firsts[-1] * NS <= 450, f"headers {counts}: {firsts} clocks")
    exam.row(
        "16 headers of 16 bits (F3.7), first bit",
        "under 450 ns (PISCES, quoted: 6.5 µs)",
        f"{firsts[-1]} clocks ({firsts[-1] * NS} ns)",
        "published.py headers",
    )
    exam.row(
        "parser throughput over 1 to 16 headers (F3.8)",
        "falls with headers",
        "constant: a beat a clock",
        "published.py headers",
    )


def tables(exam):
    """Check 19: latency grows with the number of tables, by the same for each."""
    counts = [1, 2, 4, 8, 16, 32] if exam.everything else [1, 2, 16]
    clocks = {n: inside(exam.micro_report("tables", str(n))) for n in counts}
    each = clocks[2] - clocks[1]
    demand(each > 0 and all(c == clocks[1] + (n - 1) * each for n, c in clocks.items()), f"tables: {clocks}")
    exam.row(
        "1 to 32 chained tables (F3.9)",
        "latency rises with tables, no figures",
        f"{each} clocks a table ({max(counts)} tables: {clocks[max(counts)]}), a packet a clock",
        "published.py tables",
    )


def empty(exam):
    """Check 16, of one port: no clock without a beat at any size, which carries 40 Gbit/s."""
    folder = exam.micro("empty")
    report = exam.report(folder / "micro.p4")
    sizes = [size for size in report["sizes"] if 64 <= size["bytes"] <= 1518]
    demand(len(sizes) == 1455, f"{len(sizes)} sizes")
    slow = [size["bytes"] for size in sizes if not is_line_rate(size)]
    demand(not slow, f"empty pipeline: clocks without a beat at {slow[:10]} bytes")
    wire = min((size["bytes"] + WIRE) * 8 * 250e6 / size["stream"]["clocks_per_packet"] for size in sizes)
    demand(wire >= 40e9, f"empty pipeline: {wire} bit/s")
    exam.row(
        "empty pipeline (F3.6), 64 to 1518 B",
        "at least 40 Gbit/s at every size",
        f"a beat a clock at every size: {wire / 1e9:.0f} Gbit/s on the wire or more at 250 MHz",
        "published.py empty",
    )


def l2l3_options():
    return ["--entries", PROGRAMS / "l2l3/entries.txt", "--pcap", f"0={PROGRAMS}/l2l3/in.0.pcap"]


def l2l3(exam):
    """Check 14: the longest prefix wins, TTL and checksum, nothing lost at any size."""
    program = PROGRAMS / "l2l3/l2l3.p4"
    for engine in (["interp"], ["rtl", "--pace", "both"]):
        exam.call("stf", program, PROGRAMS / "l2l3/l2l3.ipv4.stf", "--engine", *engine)
    sizes = None if exam.everything else [64, 65, 127, 128, 129, 256, 512, 1024, 1518]
    report = exam.report(program, *l2l3_options(), sizes=sizes)
    slow = [size["bytes"] for size in report["sizes"] if not is_line_rate(size)]
    demand(not slow, f"l2l3: packets lost or clocks without a beat at {slow[:10]} bytes")
    demand(report["by"][64]["stream"]["clocks_per_packet"] == 1, "l2l3: a 64 B packet a clock")
    grows = any(
        size["stream"]["clocks_per_packet"] != beats(size["bytes"]) for size in report["sizes"]
    )
    demand(not grows, "l2l3: frames that keep their length take more than their beats")
    exam.row(
        "l2l3 throughput (F3.5), 64 B",
        "4 x 10 Gbit/s line rate (59.5 Mpps)",
        "1 packet a clock (250 Mpps at 250 MHz), no packet lost at any size",
        "published.py l2l3",
    )


def latency(exam):
    """Check 15: tables and memory take the same at all sizes; first bit in 340 ns and 1.05 µs."""
    program = PROGRAMS / "l2l3/l2l3.p4"
    wide = exam.report(program, *l2l3_options(), sizes=[64, 256, 512, 1024, 1518])["by"]
    narrow = exam.report(program, *l2l3_options(), "--width", "128", sizes=[64, 256, 1024, 1518])["by"]
    action = [size["alone"]["stages"]["match_action"] for size in wide.values()]
    demand(max(action) - min(action) <= 2, f"l2l3: match-action {action} clocks")
    deparser = {n: size["alone"]["stages"]["deparser"] for n, size in wide.items()}
    growth = {n: c - deparser[64] for n, c in deparser.items()}
    # As long as its beats, give or take a clock where a packet still comes in when it leaves.
    linear = all(abs(grown - (beats(n) - 1)) <= 2 for n, grown in growth.items())
    demand(linear, f"l2l3: deparser {deparser} clocks")
    first = {n: size["alone"]["first_bit"] for n, size in narrow.items()}
    demand(first[64] * NS <= 340 and first[1518] * NS <= 1050, f"l2l3: first bit {first} clocks")
    exam.row(
        "l2l3 first bit at 64/256/1024/1518 B (T3.3)",
        "0.34/0.42/0.81/1.05 µs",
        "/".join(f"{c * NS / 1000:.2f}" for c in first.values()) + " µs (128 bits, 250 MHz)",
        "published.py latency",
    )
    published = {64: (2, 31, 21, 11), 256: (2, 31, 23, 32), 512: (2, 31, 24, 66), 1024: (2, 31, 23, 130)}
    stages(exam, "l2l3", published, wide, "published.py latency")


def stages(exam, program, published, measured, command):
    """Clocks of parser, tables, memory and deparser beside those that were published, by packet size."""
    for size, theirs in published.items():
        ours = measured[size]["alone"]["stages"].values()
        exam.row(
            f"{program} {size} B: parser/table/memory/deparser (T3.2)",
            "/".join(map(str, theirs)),
            "/".join(map(str, ours)),
            command,
        )


MDP = {256: (15, 9, 23, 34), 512: (35, 9, 24, 68), 1024: (88, 9, 23, 130)}


def mdp(exam):
    """Check 20: k entries for k = 0 to 29, repetitions dropped; a 110 B message every 2 clocks."""
    program, folder = PROGRAMS / "mdp/mdp.p4", PROGRAMS / "mdp"
    for test in ("entries", "duplicates"):
        for engine in (["interp"], ["rtl", "--pace", "both"]):
            exam.call("stf", program, folder / f"mdp.{test}.stf", "--engine", *engine)
    options = ["--entries", folder / "entries.txt", "--pcap", f"0={folder}/in.0.pcap"]
    counts = range(30) if exam.everything else (0, 1, 5, 13, 29)
    lists = {78 + 32 * k: k for k in counts}
    fresh = exam.report(program, *options, "--vary", "42:4", sizes=sorted({*lists, *MDP}))["by"]
    for size in lists:
        demand(is_line_rate(fresh[size]), f"mdp: {size} B: {fresh[size]['stream']}")
    parser = {k: fresh[size]["alone"]["stages"]["parser"] for size, k in lists.items()}
    each = (parser[29] - parser[0]) / 29
    demand(each <= 3.3, f"mdp: {each} parser clocks an entry")
    demand(fresh[110]["stream"]["clocks_per_packet"] == 2, f"mdp: {fresh[110]['stream']}")
    again = exam.report(program, *options, sizes=[110])["by"][110]["stream"]
    demand(again["frames_out"] == 0 and again["clocks_per_packet"] == 2, f"mdp, repeated: {again}")
    exam.row(
        "mdp throughput (F3.5), 110 B (1 entry)",
        "4 x 10 Gbit/s line rate",
        "1 accepted message every 2 clocks, which is its 2 beats",
        "published.py mdp",
    )
    exam.row(
        "mdp parser, clocks an entry of 32 B",
        "2.5 to 3.3 (15, 35, 88 clocks at 256, 512, 1024 B)",
        f"{each:.2f} ({parser[0]} for none, {parser[29]} for 29)",
        "published.py mdp",
    )
    stages(exam, "mdp", MDP, fresh, "published.py mdp")


def paxos_capture(exam, kind):
    """A frame of 89 B: a message of this type for instance 7 in round 1, without a UDP checksum."""
    base = pcap_file.read(PROGRAMS / "paxos/in.0.pcap")[0][1]
    frame = bytearray(base)
    frame[40:42] = bytes(2)
    frame[42], frame[43:47], frame[47] = kind, (7).to_bytes(4, "big"), 1
    path = exam.folder / f"paxos.{kind}.pcap"
    pcap_file.write(path, [(0, bytes(frame))])
    return path


def paxos(exam):
    """An acceptor, one packet behind the other on one instance: a message every 2 clocks, all of
    them accepted. 1A raises the round each time, 2A votes in the round that was promised."""
    program, entries = PROGRAMS / "paxos/paxos.p4", PROGRAMS / "paxos/entries.txt"
    for test in ("acceptor", "coordinator", "bounds"):
        for engine in (["interp"], ["rtl", "--pace", "both"]):
            exam.call("stf", program, PROGRAMS / f"paxos/paxos.{test}.stf", "--engine", *engine)
    # Votes to one learner, so that a packet is one frame.
    single = exam.folder / "paxos.entries.txt"
    group, one = "dmac broadcast 01:00:5e:03:1d:4a => 1\n", "dmac forward 01:00:5e:03:1d:4a => 1\n"
    demand(entries.read_text().count(group) == 1, "paxos/entries.txt: the learners' group is another")
    single.write_text(entries.read_text().replace(group, one))
    streams = {}
    for kind, vary in ((1, ["--vary", "47:1"]), (3, [])):
        options = ["--entries", single, "--pcap", f"0={paxos_capture(exam, kind)}", *vary]
        size = exam.report(program, *options, sizes=[89, 144])["by"]
        streams[kind] = size[89]["stream"]
        demand(is_line_rate(size[89]), f"paxos, type {kind}: {size[89]['stream']}")
        demand(size[89]["stream"]["clocks_per_packet"] == 2, f"paxos, type {kind}: {size[89]['stream']}")
    # Two learners: two frames of two beats leave for each message.
    options = ["--entries", entries, "--pcap", f"0={paxos_capture(exam, 3)}"]
    both = exam.report(program, *options, sizes=[89])["by"][89]["stream"]
    demand(both["frames_out"] == 2 * both["packets"] and both["clocks_per_packet"] == 4, f"paxos: {both}")
    exam.row(
        "paxos throughput (F3.5), 89 B on one instance",
        "below line rate (registers)",
        "1 accepted message every 2 clocks, which is its 2 beats",
        "published.py paxos",
    )
    exam.row(
        "paxos 144 B: parser/table/memory/deparser (T3.2)",
        "6/42/21/12",
        "/".join(map(str, size[144]["alone"]["stages"].values())),
        "published.py paxos",
    )


def block_rams(module, *parameters):
    """RAMB36 that Yosys maps the memories of a module to."""
    python = os.environ.get("WW_PYTHON", str(SCRIPTS.parent / "target/venv/bin/python3"))
    command = [python, str(SCRIPTS / "area_rtl.py"), "--memories", module, *parameters]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"([0-9.]+) RAMB36", done.stdout)
    demand(done.returncode == 0 and found, f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return float(found[1])


def memories(exam):
    """Check 22: 1,024 entries with keys of 288 bits and 32 bits of data. The CAM is counted RAM by
    RAM: one of 512 words of 1,024 bits for each 9 bits of the key, and the rows."""
    table = ["KEY_WIDTH=288", "DATA_WIDTH=32", "ENTRIES=1024"]
    hashed = block_rams("ww_table_hash", *table, "WAYS=3", "BUCKETS=512")
    rows = block_rams("ww_ram_sdp", "WIDTH=321", "DEPTH=1024")
    cam = 288 // 9 * block_rams("ww_ram_sdp", "WIDTH=1024", "DEPTH=512") + rows
    demand(cam >= 15 * hashed, f"block RAMs: CAM {cam}, hash table {hashed}")
    exam.row(
        "1,024 entries of 288 bits, block RAMs (T3.5)",
        "CAM 256, hash table 16.5: 15.5 times",
        f"CAM {cam:g}, hash table {hashed:g}: {cam / hashed:.0f} times",
        "published.py memories",
    )


CHECKS = [fields, chain, headers, tables, empty, l2l3, latency, mdp, paxos, memories]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [check.__name__ for check in CHECKS]
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--ww", default="ww", help="the command (default: ww)")
    parser.add_argument("--all", action="store_true", help="all sizes and all steps")
    parser.add_argument("--table", action="store_true", help="print Markdown")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in names]
    if unknown:
        parser.error(f"{unknown[0]}: there are {', '.join(names)}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        exam = Examination(options.ww, options.all, folder)
        for check in CHECKS:
            if options.names and check.__name__ not in options.names:
                continue
            try:
                check(exam)
                if not options.table:
                    print(f"ok    {check.__name__}", flush=True)
            except Failed as problem:
                failed += 1
                print(f"FAIL  {check.__name__}\n{problem}", flush=True)
    if options.table:
        print("| | published | ours | printed by |\n|---|---|---|---|")
        for what, published, ours, command in exam.rows:
            print(f"| {what} | {published} | {ours} | `{command}` |")
    else:
        for what, published, ours, _ in exam.rows:
            print(f"{what}\n    published: {published}\n    ours:      {ours}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
