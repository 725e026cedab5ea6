"""The area of an RTL module on a Xilinx 7-series FPGA, as Yosys maps it (no placement).

    area_rtl.py [--memories] MODULE [PARAMETER=VALUE ...]

With --memories it stops when memories are mapped to block RAMs, which is much quicker. Run it with the Python of target/venv. It prints the numbers of LUTs (LUTs that serve as RAM among
them), flip-flops, block RAMs, in RAMB36 equivalents, and DSP blocks.
"""

import json
import sys
import tempfile
from pathlib import Path

from lint_rtl import RTL, blocks, used_by
from pyosys import libyosys

# LUTs that a primitive for RAM or shift registers takes.
LUT_RAM = {"RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4, "SRL16E": 1}


def main() -> None:
    arguments = sys.argv[1:]
    memories = arguments[:1] == ["--memories"]
    module, parameters = arguments[memories], arguments[memories + 1 :]
    paths = [path for folder in blocks() for path in [folder / f"{module}.sv"] if path.is_file()]
    if not paths:
        sys.exit(f"no {module}.sv in a block folder of {RTL}")
    files = " ".join(map(str, used_by(paths[0], blocks())))
    settings = " ".join(f"-G {parameter}" for parameter in parameters)
    design = libyosys.Design()
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        libyosys.run_pass(f"tee -q read_slang --top {module} {settings} {files}", design)
        until = "-run begin:map_ffram" if memories else ""
        libyosys.run_pass(f"tee -q synth_xilinx -family xc7 -flatten -noiopad {until}", design)
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
