"""What the scheduling blocks of rtl/pieo and rtl/pifo cost and reach, against the number of elements N.

    pieo_figures.py [--cells N,N,..] [--luts N,N,..] [--clock N,N,..] [--modules NAME,..] [--json FILE]

Run it with the Python of target/venv. `--cells`: Yosys alone, without mapping to a device: flip-flops, gates of at most
two inputs and multiplexers (one gate a bit) and bits of RAM; and over all N the exponent with which gates and
flip-flops grow. `--luts`: as Yosys maps them to Xilinx 7-series (LUTs, flip-flops, block RAMs of 36 Kbit), and the
longest path in cells. `--clock`: megahertz on a Lattice ECP5-85 by nextpnr, which takes minutes each, and operations a second.
Operations a second are the clock over the clocks for an operation, which the tests of rtl/pieo assert. ww_pifo stands for
itself with eligibility (PREDICATE=1) and, as ww_pifo:0, without. What does not fit in the device is reported as such.
"""

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from lint_rtl import RTL, blocks, used_by

# Clocks from an operation to the next one, as rtl/pieo/tests assert.
CLOCKS = {"ww_pieo": 4, "ww_pieo_fast": 2, "ww_pifo": 1}
# The largest PIFO that is built; beyond that its growth is known.
LARGEST = {"ww_pifo": 1024}


def settings(name: str, n: int) -> tuple[str, list[str]]:
    """The module of a name, and its parameters."""
    module, _, predicate = name.partition(":")
    given = [f"N={n}"]
    if module == "ww_pifo":
        given.append(f"PREDICATE={predicate or 1}")
    return module, given


def files(module: str) -> str:
    path = next(path for folder in blocks() for path in [folder / f"{module}.sv"] if path.is_file())
    return " ".join(map(str, used_by(path, blocks())))


def yosys(commands: list[str]) -> None:
    """Runs commands in a process of its own, because Yosys ends the process where it finds an error."""
    program = "import sys; from pyosys import libyosys as y; d = y.Design(); [y.run_pass(c, d) for c in sys.argv[1:]]"
    done = subprocess.run([sys.executable, "-c", program, *commands], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit((done.stdout + done.stderr)[-2000:])


def read(module: str, given: list[str]) -> str:
    return f"tee -q read_slang --top {module} {' '.join(f'-G {g}' for g in given)} {files(module)}"


def cells(module: str, given: list[str]) -> dict[str, int]:
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
        ])  # fmt: skip
        bits = json.loads(Path(before).read_text())["design"]["num_memory_bits"]
        kinds = json.loads(Path(after).read_text())["design"]["num_cells_by_type"]
    flipflops = sum(count for kind, count in kinds.items() if "DFF" in kind)
    memories = sum(count for kind, count in kinds.items() if kind.startswith("$mem"))
    gates = sum(kinds.values()) - flipflops - memories
    return {"gates": gates, "flipflops": flipflops, "ram_bits": bits}


def luts(module: str, given: list[str]) -> dict[str, float]:
    """Xilinx 7-series."""
    with tempfile.TemporaryDirectory() as folder:
        stat, longest = f"{folder}/stat.json", f"{folder}/path"
        yosys([
            read(module, given), f"tee -q synth_xilinx -family xc7 -flatten -noiopad -top {module}",
            f"tee -q -o {stat} stat -json", f"tee -q -o {longest} ltp -noff",
        ])  # fmt: skip
        kinds = json.loads(Path(stat).read_text())["design"]["num_cells_by_type"]
        depth = re.search(r"length=(\d+)", Path(longest).read_text())
    return {
        "luts": sum(kinds.get(f"LUT{inputs}", 0) for inputs in range(1, 7)),
        "flipflops": sum(count for kind, count in kinds.items() if kind.startswith("FD")),
        "ramb36": kinds.get("RAMB36E1", 0) + kinds.get("RAMB18E1", 0) / 2,
        "depth": int(depth[1]) if depth else 0,
    }


def clock(module: str, given: list[str]) -> dict[str, float | str]:
    """ECP5-85, placed and routed."""
    command = [sys.executable, str(RTL.parent / "scripts" / "clock_rtl.py"), module, *given]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r": ([0-9.]+) MHz\n\s+(.*)", done.stdout)
    if done.returncode != 0 or found is None:
        return {"error": (done.stderr or done.stdout).strip().splitlines()[-1]}
    return {"mhz": float(found[1]), "mops": round(float(found[1]) / CLOCKS[module], 2), "cells": found[2]}


def exponent(points: list[tuple[int, float]]) -> float:
    """The slope of the line through the logarithms, by least squares."""
    xs, ys = [math.log(n) for n, _ in points], [math.log(value) for _, value in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx) ** 2 for x in xs)


def main() -> None:
    numbers = lambda text: [int(part) for part in text.split(",")]  # noqa: E731
    arguments = argparse.ArgumentParser()
    for kind in ("cells", "luts", "clock"):
        arguments.add_argument(f"--{kind}", type=numbers, default=[], metavar="N,..")
    arguments.add_argument("--modules", default="ww_pieo,ww_pieo_fast,ww_pifo,ww_pifo:0")
    arguments.add_argument("--json", type=Path)
    given = arguments.parse_args()
    report: dict[str, dict[str, dict]] = {}
    for kind, measure in (("cells", cells), ("luts", luts), ("clock", clock)):
        for name in given.modules.split(","):
            points = report.setdefault(kind, {}).setdefault(name, {})
            for n in getattr(given, kind):
                module, values = settings(name, n)
                if n <= LARGEST.get(module, n):
                    points[n] = measure(module, values)
                    print(f"{kind} {name} N={n}: {json.dumps(points[n])}", flush=True)
            if kind == "cells" and len(points) > 1:
                for what in ("gates", "flipflops"):
                    grows = exponent([(n, point[what]) for n, point in points.items()])
                    print(f"cells {name}: {what} grow with N to the power {grows:.2f}", flush=True)
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
