#!/usr/bin/env python3
"""Plants faults in the reference engine and counts how many the STF tests find.

tests/mutants.toml lists the faults: a file, a text that occurs in it once, what to put in its
place, and in one sentence what is wrong then. Each mutant is built in a copy of the tree and
every STF test is run against it until one fails. A mutant that no test notices survives.

    scripts/mutants.py [--only SUBSTRING] [--demand PERCENT]

Exit status 1 if fewer than PERCENT (90) are caught, or if an entry does not apply or build.
"""

import argparse
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "target" / "mutants" / "tree"
BUILD = ROOT / "target" / "mutants" / "build"
TEST_SECONDS = 20


def copy_tree():
    """A copy of what git tracks, with the file times kept so that little is rebuilt."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    names = [n for n in listed.stdout.decode().split("\0") if n]
    for name in names:
        source, copy = ROOT / name, COPY / name
        if not source.is_file():
            continue
        if copy.exists() and copy.read_bytes() == source.read_bytes():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, copy)


def build():
    """Builds `ww` of the copy; gives the compiler's complaint, or None."""
    run = subprocess.run(
        ["cargo", "build", "--quiet", "-p", "wirewright-cli"],
        cwd=COPY,
        env={**os.environ, "CARGO_TARGET_DIR": str(BUILD)},
        capture_output=True,
        text=True,
    )
    return None if run.returncode == 0 else run.stderr


def tests():
    """All pairs of a program and its test."""
    found = []
    for stf in sorted((ROOT / "tests" / "p4").rglob("*.stf")):
        program = stf.with_suffix(".p4")
        while not program.exists() and "." in program.stem:
            program = program.with_name(pathlib.Path(program.stem).stem + ".p4")
        found.append((program, stf))
    return found


def fails(pair):
    """Whether a test fails against the built engine; hanging and crashing are failures."""
    program, stf = pair
    try:
        run = subprocess.run(
            [str(BUILD / "debug" / "ww"), "stf", str(program), str(stf)],
            capture_output=True,
            timeout=TEST_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


def first_failure(pairs):
    """The first test that fails, or None."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        pending = {pool.submit(fails, pair): pair for pair in pairs}
        for done in concurrent.futures.as_completed(pending):
            if done.result():
                pool.shutdown(wait=True, cancel_futures=True)
                return pending[done][1]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="mutants whose sentence contains this")
    parser.add_argument("--demand", type=float, default=90.0, help="percent to be caught")
    options = parser.parse_args()
    listed = tomllib.loads((ROOT / "tests" / "mutants.toml").read_text())["mutant"]
    mutants = [m for m in listed if options.only in m["what"]]

    copy_tree()
    complaint = build()
    if complaint:
        sys.exit(f"the tree does not build:\n{complaint}")
    pairs = tests()
    broken = first_failure(pairs)
    if broken:
        sys.exit(f"{broken} fails without any mutant")

    caught, survivors, unusable = 0, [], []
    for number, mutant in enumerate(mutants, 1):
        path = COPY / mutant["file"]
        text = path.read_text()
        if text.count(mutant["find"]) != 1:
            unusable.append(f"{mutant['what']}: found {text.count(mutant['find'])} times in {path}")
            continue
        path.write_text(text.replace(mutant["find"], mutant["replace"]))
        try:
            complaint = build()
            failure = None if complaint else first_failure(pairs)
        finally:
            path.write_text(text)
        if complaint:
            unusable.append(f"{mutant['what']}: does not build\n{complaint}")
            continue
        if failure:
            caught += 1
            verdict = f"caught by {failure.relative_to(ROOT)}"
        else:
            survivors.append(mutant["what"])
            verdict = "SURVIVES"
        print(f"{number:3}/{len(mutants)} {mutant['what']}: {verdict}", flush=True)

    for line in unusable:
        print(f"unusable: {line}")
    total = caught + len(survivors)
    percent = 100.0 * caught / total if total else 0.0
    print(f"{caught} of {total} mutants caught ({percent:.0f} %)")
    for what in survivors:
        print(f"  survivor: {what}")
    sys.exit(1 if unusable or percent < options.demand else 0)


if __name__ == "__main__":
    main()
