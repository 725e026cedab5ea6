"""The clock that an RTL module reaches alone on a Lattice ECP5-85 (speed grade 8): Yosys and nextpnr.

    clock_rtl.py [--least MHZ] MODULE [PARAMETER=VALUE ...]

Run it with the Python of target/venv. The module sits behind shift registers that drive its inputs and
catch its outputs, so paths from and to its ports count as if there were registers beside it. It prints
megahertz, cells, and the critical path (the names at its ends and what it takes). With --least it ends
with status 1 below so many megahertz.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from lint_rtl import RTL, blocks, used_by
from pyosys import libyosys

CLOCK = RTL.parent / "crates/rtl/src/report/clock.py"


def ports(module: str, settings: str, files: str) -> dict[str, tuple[str, int]]:
    """Direction and width of each port."""
    design = libyosys.Design()
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        libyosys.run_pass(f"tee -q read_slang --unroll-limit 100000000 --top {module} {settings} {files}", design)
        libyosys.run_pass(f"tee -q write_json {report.name}", design)
        found = json.loads(Path(report.name).read_text())["modules"][module]["ports"]
    return {name: (port["direction"], len(port["bits"])) for name, port in found.items()}


def wrapper(module: str, parameters: list[str], found: dict[str, tuple[str, int]]) -> str:
    """A module with few pins around the module."""
    around = {name: port for name, port in found.items() if name not in ("clk", "rst")}
    inputs = [name for name, (direction, _) in around.items() if direction == "input"]
    outputs = [name for name, (direction, _) in around.items() if direction == "output"]
    wide = {True: sum(around[name][1] for name in inputs), False: sum(around[name][1] for name in outputs)}
    settings = ", ".join(f".{name}({value})" for name, value in (p.split("=", 1) for p in parameters))
    connections = [f".{name}" for name in ("clk", "rst") if name in found] + [f".{name}" for name in around]
    lines = [
        f"module {module}_scan (input logic clk, rst, scan_in, capture, output logic scan_out);",
        *(f"    logic [{width - 1}:0] {name};" for name, (_, width) in around.items()),
        f"    logic [{wide[True] - 1}:0] source;",
        f"    logic [{wide[False] - 1}:0] sink, caught;",
        f"    assign {{{', '.join(inputs)}}} = source;",
        f"    assign sink = {{{', '.join(outputs)}}};",
        "    assign scan_out = caught[0];",
        f"    {module} #({settings}) block ({', '.join(connections)});",
        "    always_ff @(posedge clk) begin",
        f"        source <= {wide[True]}'({{source, scan_in}});",
        f"        caught <= capture ? sink : {wide[False]}'(caught >> 1);",
        "    end",
        "endmodule",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--least", type=float, default=0.0, metavar="MHZ")
    arguments.add_argument("module")
    arguments.add_argument("parameters", nargs="*")
    given = arguments.parse_args()
    module, parameters = given.module, given.parameters
    paths = [path for folder in blocks() for path in [folder / f"{module}.sv"] if path.is_file()]
    if not paths:
        sys.exit(f"no {module}.sv in a block folder of {RTL}")
    files = [str(file) for file in used_by(paths[0], blocks())]
    settings = " ".join(f"-G {parameter}" for parameter in parameters)
    with tempfile.TemporaryDirectory() as folder:
        around = Path(folder) / f"{module}_scan.sv"
        around.write_text(wrapper(module, parameters, ports(module, settings, " ".join(files))))
        report = Path(folder) / "clock.json"
        command = [sys.executable, str(CLOCK), f"{module}_scan", str(report), *files, str(around)]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit((result.stdout + result.stderr)[-2000:])
        found = json.loads(report.read_text())
    path = found["path"]
    cells = ", ".join(f"{used} {kind}" for kind, (used, _) in sorted(found["cells"].items()))
    print(f"{module} {' '.join(parameters)}: {found['mhz']:.1f} MHz")
    print(f"  {cells}")
    if path:
        spent = {kind: sum(delay for k, delay, _ in path if (k == "routing") == kind) for kind in (True, False)}
        print(f"  {spent[False]:.2f} ns in cells, {spent[True]:.2f} ns between them, {path[0][2]} to {path[-1][2]}")
    if found["mhz"] < given.least:
        sys.exit(f"{module}: {found['mhz']:.1f} MHz, at least {given.least:g} expected")


if __name__ == "__main__":
    main()
