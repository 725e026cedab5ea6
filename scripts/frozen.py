#!/usr/bin/env python3
"""Compares what `ww` writes with what it wrote before the crates were rearranged.

    frozen.py [--ww PATH] [NAME ...]               compare; 1 if something differs
    frozen.py [--ww PATH] --accept "REASON" NAME ...   record an intended change

`tests/frozen.json` holds a SHA-256 for each output: `results.json` of every lab in `labs/` (virtual
time, `--quick`), the captures that the example programs write on both engines, and what commands
print with `--json`. Of outputs that hold measured times only the keys and the types of their values
count ("shape"). An intended change is recorded with its reason; the list of reasons stays in the
file. Standard library only.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "tests" / "frozen.json"
PROGRAMS = ROOT / "p4" / "programs"

TPP = """.word 16
.hops 5
PUSH [Switch:SwitchID]
PUSH [PacketMetadata:OutputPort]
PUSH [Queue:QueueOccupancy]
"""
LONG_TPP = ".hops 3\n" + "PUSH [Switch:SwitchID]\n" * 12
HISTORIES = [
    {"at": at, "app": 1, "hops": len(hops), "stack_pointer": 8 * len(hops), "source": "10.0.0.1",
     "destination": to, "protocol": 17, "ports": [4000, 80], "length": length,
     "words": (sum(hops, []) + [0] * 16)[:16], "how": "stripped"}
    for at, to, length, hops in [
        (1_000_000, "10.0.0.2", 100, [[1, 5, 0, 2], [4, 6, 1, 3]]),
        (2_000_000, "10.0.0.3", 1000, [[1, 7, 0, 1], [2, 6, 0, 1], [4, 8, 0, 3]]),
        (3_000_000, "10.0.0.2", 300, [[1, 5, 0, 2], [4, 6, 1, 3]]),
    ]
]
FILES = {
    "collect.tpp": TPP,
    "long.tpp": LONG_TPP,
    "tpps.json": "".join(json.dumps(line) + "\n" for line in HISTORIES),
    "watch.toml": "loops = true\n[[waypoint]]\nname = 'w'\nswitch = 2\nfilter = '-d 10.0.0.2'\n",
    "shim.toml": 'mtu = 1500\n[[app]]\ntag = 3\nread = ["Switch:*", "PacketMetadata:*"]\n[[rule]]\napp = 3\n'
                 'filter = "-p udp"\nhops = 2\nprogram = """\nPUSH [Switch:SwitchID]\n"""\n',
    "operations": "enq 0 5 7\nenq 1 5 6\nenq 2 4 65535\ndeq 7\ndeqrange 7 0 9\ndeq 7\ndeqid 2\nlen\n",
}
VALUES = ["--values", "switch,entry,in-port,out-port"]


def shape(value):
    """Keys and types: what must not change where the figures are times of this machine."""
    if isinstance(value, dict):
        return {key: shape(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner) for inner in value[:1]]
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


class Cases:
    """The outputs by name, each a function that returns their bytes."""

    def __init__(self, ww):
        self.ww = ww
        self.cases = {}
        for lab in sorted(ROOT.glob("labs/*/lab.toml")):
            name = lab.parent.name
            self.cases[f"lab/{name}"] = lambda folder, name=name: self.lab(folder, name)
        for program in sorted(PROGRAMS.glob("*/*.p4")):
            for entries in sorted([program.parent / "entries.txt", *program.parent.glob("*/entries.txt")]):
                if program.stem == program.parent.name and list(entries.parent.glob("in.*.pcap")):
                    case = entries.parent.relative_to(PROGRAMS)
                    for engine in ["jit", "interp"]:
                        self.cases[f"captures/{case}/{engine}"] = (
                            lambda folder, p=program, e=entries, g=engine: self.captures(folder, p, e, g))
        self.commands()

    def call(self, folder, *words, statuses=(0,)):
        done = subprocess.run([self.ww, *map(str, words)], cwd=folder, capture_output=True, check=False)
        if done.returncode not in statuses:
            raise RuntimeError(f"ww {' '.join(map(str, words))}: exit status {done.returncode}\n"
                               + done.stderr.decode(errors="replace"))
        return done.stdout

    def lab(self, folder, name):
        self.call(folder, "lab", "run", ROOT / "labs" / name, "--quick", "--out", "out", statuses=(0, 1))
        return (Path(folder) / "out" / "results.json").read_bytes()

    def captures(self, folder, program, entries, engine):
        ports = sorted({int(re.search(r"\d+", path.name)[0]) for path in entries.parent.glob("*.*.pcap")})
        words = []
        for port in ports:
            source = entries.parent / f"in.{port}.pcap"
            words += ["--port", f"{port}={source if source.exists() else ''}:{port}.pcap"]
        summary = self.call(folder, "run", program, "--entries", entries, "--engine", engine, "--json", *words)
        return b"".join((Path(folder) / f"{port}.pcap").read_bytes() for port in ports) + json.dumps(
            shape(json.loads(summary)), sort_keys=True).encode()

    def add(self, name, *words, statuses=(0,), only_shape=False, files=()):
        def run(folder):
            out = self.call(folder, *words, statuses=statuses)
            if only_shape:
                out = json.dumps([shape(json.loads(out))], sort_keys=True).encode()
            return out + b"".join((Path(folder) / file).read_bytes() for file in files)
        self.cases[f"command/{name}"] = run

    def commands(self):
        router = PROGRAMS / "l2l3"
        l2l3 = router / "l2l3.p4"
        count = PROGRAMS / "udp_count" / "udp_count.p4"
        entries = ["--entries", router / "entries.txt"]
        capture = router / "in.0.pcap"
        for extension in ["txt", "json", "bin"]:
            self.add(f"check p4info {extension}", "check", l2l3, "--p4info", f"i.{extension}", files=[f"i.{extension}"])
        for emit in ["ast", "ir", "pipeline"]:
            self.add(f"check emit {emit}", "check", count, "--emit", emit)
        self.add("trace", "trace", l2l3, *entries, "--port", f"0={capture}", "--json")
        self.add("trace text", "trace", l2l3, *entries, "--port", f"0={capture}", "--packet", "15")
        self.add("bench", "bench", l2l3, *entries, "--pcap", f"0={capture}", "--seconds", "0.05", "--json", only_shape=True)
        self.add("report", "report", count, "--sizes", "64,65", "--json")
        self.add("build", "build", count, "--target", "rtl", "--out", "rtl", files=["rtl/filelist.f"])
        self.add("lab list", "lab", "list")
        self.add("lab sweep", "lab", "sweep", ROOT / "labs" / "hello", "--quick", "--over", "run.seed=1,2", "--out", "s",
                 statuses=(0, 1), files=["s/sweep.json"])
        self.add("sched exec", "sched", "exec", "operations")
        self.add("sched bench", "sched", "bench", "--flows", "64", "--seconds", "0.01", "--json", only_shape=True)
        self.add("sched check", "sched", "check", ROOT / "examples/scheduler/policy.toml")
        self.add("sched report", "sched", "report", "--quick", "--no-rtl", "--json", only_shape=True)
        self.add("phy gen", "phy", "gen", "--count", "100", "-o", "g.bits", "--json", files=["g.bits"])
        self.add("phy encode", "phy", "encode", capture, "-o", "e.bits", "--json", files=["e.bits"])
        self.chain("phy cap", ["phy", "encode", capture, "-o", "e.bits"],
                   ["phy", "cap", "e.bits", "-o", "c.pcapng", "--list", "l.txt", "--json"], ["c.pcapng", "l.txt"])
        self.chain("phy decode", ["phy", "encode", capture, "-o", "e.bits"], ["phy", "decode", "e.bits"])
        self.chain("phy replay", ["phy", "encode", capture, "-o", "e.bits"],
                   ["phy", "replay", capture, "-o", "r.bits", "--json"], ["r.bits"])
        self.chain("phy profile", ["phy", "gen", "--count", "300", "-o", "g.bits"], ["phy", "profile", "g.bits", "--json"])
        for side in ["receive", "detect"]:
            self.chain(f"phy covert {side}", ["phy", "covert", "send", "--message", "hello", "-o", "m.bits"],
                       ["phy", "covert", side, "m.bits", "--json"])
        self.add("tpp asm", "tpp", "asm", "collect.tpp")
        self.add("tpp check", "tpp", "check", "collect.tpp", "--json")
        self.add("tpp split", "tpp", "split", "long.tpp", "--room", "60", "--json")
        self.add("tpp map", "tpp", "map")
        self.add("tpp ndb", "tpp", "ndb", "{switch=1, out-port=2} 4 $", "tpps.json", *VALUES, "--json")
        self.add("tpp netwatch", "tpp", "netwatch", "watch.toml", "tpps.json", *VALUES, "--json", statuses=(0, 1))
        self.add("tpp profile", "tpp", "profile", "tpps.json", *VALUES, "--json")
        self.add("tpp netshark", "tpp", "netshark", "-o", "h.parquet", "tpps.json", *VALUES)
        self.add("tpp shim", "tpp", "shim", "shim.toml", "--stack", f"{capture}:up.pcap", "--wire", ":down.pcap", "--json",
                 only_shape=True)

    def chain(self, name, first, second, files=()):
        def run(folder):
            self.call(folder, *first)
            return self.call(folder, *second) + b"".join((Path(folder) / file).read_bytes() for file in files)
        self.cases[f"command/{name}"] = run

    def digest(self, name):
        """The hash of a case, or why it could not be made."""
        with tempfile.TemporaryDirectory() as folder:
            for file, text in FILES.items():
                (Path(folder) / file).write_text(text)
            try:
                return hashlib.sha256(self.cases[name](folder).replace(str(ROOT).encode(), b"ROOT")).hexdigest(), None
            except (RuntimeError, OSError, ValueError) as problem:
                return None, str(problem)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ww", default=str(ROOT / "target" / "debug" / "ww"))
    parser.add_argument("--accept", metavar="REASON", help="record what the named outputs are now, and why")
    parser.add_argument("names", nargs="*", help="beginnings of names; all by default")
    options = parser.parse_args()
    cases = Cases(os.path.realpath(options.ww))
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {"hashes": {}, "changes": []}
    hashes = record["hashes"]
    every = sorted({*cases.cases, *hashes})
    names = [name for name in every if not options.names or any(name.startswith(part) for part in options.names)]
    if not names:
        sys.exit(f"frozen: no output's name begins with {' or '.join(options.names)}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(names, pool.map(lambda n: cases.digest(n) if n in cases.cases else (None, "no such output"), names)))
    changed = {name: (digest, problem) for name, (digest, problem) in found.items()
               if problem or digest != hashes.get(name)}
    if options.accept is not None:
        broken = {name: problem for name, (digest, problem) in changed.items() if problem and name in cases.cases}
        for name, problem in broken.items():
            print(f"FAIL  {name}: {problem}")
        for name, (digest, problem) in changed.items():
            if name in cases.cases and not problem:
                hashes[name] = digest
            elif name not in cases.cases:
                del hashes[name]
        recorded = sorted(set(changed) - set(broken))
        if recorded:
            record["changes"].append({"outputs": recorded, "reason": options.accept})
        RECORD.write_text(json.dumps({"changes": record["changes"], "hashes": dict(sorted(hashes.items()))}, indent=1) + "\n")
        print(f"frozen: {len(recorded)} recorded")
        sys.exit(1 if broken else 0)
    for name, (digest, problem) in changed.items():
        why = problem or ("is not recorded" if name not in hashes else "differs from the record")
        print(f"FAIL  {name}: {why}")
    print(f"frozen: {len(names) - len(changed)} passed, {len(changed)} failed")
    sys.exit(1 if changed else 0)


if __name__ == "__main__":
    main()
