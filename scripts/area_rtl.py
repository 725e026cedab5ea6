"""The area of an RTL module on a Xilinx 7-series FPGA, as Yosys maps it (no placement).

    area_rtl.py [--memories] MODULE|FOLDER [PARAMETER=VALUE ...]

A module of rtl/, or a folder that `ww build --target rtl` has written. With --memories it stops when memories are mapped
to block RAMs, which is much quicker. Run it with the Python of target/venv. It prints the numbers of LUTs (LUTs that
serve as RAM among them), flip-flops, block RAMs, in RAMB36 equivalents, and DSP blocks.

Yosys maps as its `synth_xilinx -flatten` does, but does not look with a SAT solver for operators that are never used at
the same time (`share`): of a TCPU it would look for hours.
"""

import json
import sys
import tempfile
from pathlib import Path

from lint_rtl import RTL, blocks, used_by
from pieo_figures import LUT_RAM
from pyosys import libyosys

# The part `coarse` of synth_xilinx without `share`.
COARSE = [
    "techmap -map +/cmp2lut.v -map +/cmp2lcu.v -D LUT_WIDTH=6",
    "alumacc",
    "opt",
    "memory -nomap",
    "opt_clean",
]


def main() -> None:
    arguments = sys.argv[1:]
    memories = arguments[:1] == ["--memories"]
    module, parameters = arguments[memories], arguments[memories + 1 :]
    if Path(module).is_dir():
        top = json.loads((Path(module) / "manifest.json").read_text())["program"]
        files = sorted(map(str, (Path(module) / "rtl").glob("*.sv")))
    else:
        paths = [path for folder in blocks() for path in [folder / f"{module}.sv"] if path.is_file()]
        if not paths:
            sys.exit(f"no {module}.sv in a block folder of {RTL}, and no such folder")
        top, files = module, list(map(str, used_by(paths[0], blocks())))
    settings = " ".join(f"-G {parameter}" for parameter in parameters)
    design = libyosys.Design()
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        libyosys.run_pass(f"tee -q read_slang --top {top} {settings} {' '.join(files)}", design)
        synthesis = "tee -q synth_xilinx -family xc7 -flatten -noiopad -run"
        libyosys.run_pass(f"{synthesis} begin:coarse", design)
        for step in COARSE:
            libyosys.run_pass(f"tee -q {step}", design)
        until = "map_ffram" if memories else "check"
        libyosys.run_pass(f"{synthesis} map_memory:{until}", design)
        libyosys.run_pass(f"tee -q -o {report.name} stat -json", design)
        cells = json.loads(Path(report.name).read_text())["design"]["num_cells_by_type"]
    memory = sum(size * cells.get(kind, 0) for kind, size in LUT_RAM.items())
    luts = memory + sum(cells.get(f"LUT{inputs}", 0) for inputs in range(1, 7))
    flipflops = sum(count for kind, count in cells.items() if kind.startswith("FD"))
    blocks36 = cells.get("RAMB36E1", 0) + cells.get("RAMB18E1", 0) / 2
    if memories:
        print(f"{module} {' '.join(parameters)}: {blocks36:g} RAMB36")
        return
    multipliers = cells.get("DSP48E1", 0)
    print(
        f"{module} {' '.join(parameters)}: {luts} LUT ({memory} as RAM), {flipflops} FF, {blocks36:g} RAMB36, "
        f"{multipliers} DSP48"
    )


if __name__ == "__main__":
    main()
