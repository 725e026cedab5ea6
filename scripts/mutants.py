#!/usr/bin/env python3
"""Plants faults in the reference engine and counts how many the STF tests find.

tests/mutants.toml lists the faults: a file, a text that occurs in it once, what to put in its
place, and in one sentence what is wrong then. Each mutant is built in a copy of the tree, and all
STF tests run against it. A mutant that no test notices survives.

    scripts/mutants.py [--hardware | --scheduler [--here] | --tpp [--here] | --phy [--here] | --loaders [--here] | --silent [--here] | --fabric [--here] | --tcp [--here]] [--only TEXT] [--part K/N] [--demand PERCENT] [--check] [--json FILE]

With --hardware the faults are those of tests/mutants_rtl.toml, in the emitter of SystemVerilog and
in its blocks. Each names the STF tests that must notice, which run on generated hardware, packet by
packet and back to back; all must be caught. It needs Verilator (scripts/setup.sh).

With --scheduler they are those of tests/mutants_sched.toml, in crates/sched and in the blocks of
rtl/pieo. Each names the tests of the crate, or the block with parameters whose random operations
must notice (Verilator and the Python that has it: WW_PYTHON, else that of target/venv); all must be
caught. With --here faults are planted in this tree, and put right again, instead of in a copy:
less to build, with the cargo profile and folder of the environment.

With --tpp they are those of tests/mutants_tpp.toml, in the blocks of rtl/tpp, and each names the tests of
crates/rtl that must notice; --here as above.

With --phy they are those of tests/mutants_phy.toml, in crates/phy, crates/dtp, rtl/phy and rtl/dtp; as above.

With --loaders they are those of tests/mutants_loaders.toml, in how one engine alone loads entries; as above.

With --silent they are those of tests/mutants_silent.toml, by which something that is missing would pass silently; as above.
Those in Python name a test of scripts/tests instead (`unittest`).

With --fabric they are those of tests/mutants_fabric.toml, in rtl/shoal. `pytest` names the quick tests of the block that must
notice instead; it needs Verilator.

With --tcp they are those of tests/mutants_tcp.toml, in rtl/checksum and rtl/lbus; as with --fabric.

With --part K/N only one in N of them is planted, from the K-th on, so that long lists can be run in parts.

Exit status 1 if fewer than PERCENT (90 of the first list, 100 of the others) are caught, or if an entry does not apply or build.
"""

import argparse
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "mutants.toml"
# Option, what --help says of it; the list of each is tests/mutants_NAME.toml.
LISTS = {
    "hardware": ("rtl", "faults in the emitter of SystemVerilog"),
    "scheduler": ("sched", "faults in crates/sched and rtl/pieo"),
    "tpp": ("tpp", "faults in rtl/tpp"),
    "phy": ("phy", "faults in crates/phy, crates/dtp, rtl/phy and rtl/dtp"),
    "loaders": ("loaders", "faults in how one engine loads entries"),
    "silent": ("silent", "faults by which what is missing passes silently"),
    "fabric": ("fabric", "faults in rtl/shoal"),
    "tcp": ("tcp", "faults in the blocks of a TCP/IP host"),
}
WORK = pathlib.Path(os.environ.get("MUTANTS_DIR", ROOT / "target" / "mutants"))
COPY = WORK / "tree"

# The test that runs the whole corpus in one process. In the copy it becomes a test of the crate
# `generate`, so that neither the command line nor the ports are built for every mutant.
CORPUS_FROM = "crates/cli/tests/all/"
CORPUS = (CORPUS_FROM + "stf_corpus.rs", CORPUS_FROM + "corpus/")
PACKAGE, HOST = "wirewright-generate", "crates/generate/tests/corpus/"
CORPUS_MAIN = "//! The corpus alone.\n\nmod corpus;\nmod stf_corpus;\n"

# A mutant that loops for ever or eats all memory is stopped, which counts as caught.
RUN_SECONDS = 60
# On hardware each mutant is a model of its own, which has to be built.
HARDWARE_SECONDS = 600
SCHEDULER_SECONDS = 300
MEMORY = 6 << 30

# What is built once is run once: the time goes into the compiler.
ENVIRONMENT = {
    **os.environ,
    "CARGO_TARGET_DIR": str(WORK / "build"),
    "CARGO_PROFILE_DEV_OPT_LEVEL": "0",
    "CARGO_PROFILE_DEV_DEBUG": "false",
    "CARGO_INCREMENTAL": "1",
    "CARGO_TERM_COLOR": "never",
}
ENVIRONMENT.pop("WW_ONLY", None)
ENVIRONMENT.setdefault("WW_CACHE", str(WORK / "models"))
for found in ROOT.glob("target/venv/lib/python3*/site-packages/verilator"):
    ENVIRONMENT.setdefault("WW_VERILATOR_ROOT", str(found))


def copy_tree():
    """A copy of what git tracks. Equal files keep their times, so that little is rebuilt."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    wanted = {}
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            wanted[name] = ROOT / name
            if name.startswith(CORPUS):
                wanted[HOST + name.removeprefix(CORPUS_FROM)] = ROOT / name
    for name, source in wanted.items():
        copy = COPY / name
        if not copy.exists() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    kept = {*wanted, "Cargo.lock", HOST + "main.rs"}
    for copy in [path for path in COPY.rglob("*") if path.is_file()]:
        if str(copy.relative_to(COPY)) not in kept:
            copy.unlink()
    main = COPY / HOST / "main.rs"
    if not main.exists() or main.read_text() != CORPUS_MAIN:
        main.write_text(CORPUS_MAIN)


def build(package=PACKAGE, target=("--test", "corpus"), tree=COPY, environment=ENVIRONMENT):
    """Builds a test of a tree, by default the corpus test of the copy; gives its path, or the
    compiler's complaint."""
    command = ["cargo", "test", "--no-run", "-p", package, *target]
    run = subprocess.run(
        [*command, "--message-format", "json-render-diagnostics"],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
    )
    if run.returncode != 0:
        return None, run.stderr
    for line in run.stdout.splitlines():
        message = json.loads(line)
        if message.get("executable"):
            return message["executable"], None
    return None, "cargo names no executable"


def failures(executable, tests=None):
    """The tests that fail, as the corpus reports them: on the reference engine, or on hardware those
    whose path contains `tests`."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    engine, seconds, environment = "reference_engine", RUN_SECONDS, ENVIRONMENT
    if tests is not None:
        engine, seconds = "hardware", HARDWARE_SECONDS
        environment = {**ENVIRONMENT, "WW_ONLY": tests}
    try:
        run = subprocess.run(
            [executable, engine, "--nocapture"],
            cwd=COPY,
            env=environment,
            capture_output=True,
            timeout=seconds,
            preexec_fn=limit,
        )
    except subprocess.TimeoutExpired:
        return ["(no end)"]
    if run.returncode == 0:
        return []
    lines = run.stdout.decode(errors="replace").splitlines()
    failed = [line.split()[1] for line in lines if line.strip().startswith("FAILED ")]
    return failed or ["(crash)"]


def scheduler_failures(mutant, planted, here):
    """The tests that fail with a mutant of a block, or of its crate, if it is `planted`, else without it; and
    the compiler's complaint."""
    tree, environment = (ROOT, dict(os.environ)) if here else (COPY, dict(ENVIRONMENT))
    path = tree / mutant["file"]
    (before, after), _ = mutated(tree, mutant)
    if planted:
        path.write_text(after)
    try:
        if "unittest" in mutant:
            return unittest_failures(mutant["unittest"], tree)
        if "pytest" in mutant:
            return pytest_failures(path.parent.relative_to(tree), mutant["pytest"], tree, environment)
        suite = mutant["suite"]
        target = ["--lib"] if suite == "lib" else ["--test", "all"]
        package = mutant.get("package", "sched")
        executable, complaint = build(f"wirewright-{package}", target, tree, environment)
        if complaint:
            return [], complaint
        cwd = tree / "crates" / package
        limits = {"capture_output": True, "text": True, "timeout": SCHEDULER_SECONDS}
        # What it finds is the mutant's fault, and not to be kept.
        environment["PROPTEST_DISABLE_FAILURE_PERSISTENCE"] = "1"
        tests = named(executable, cwd, "" if suite == "lib" else suite + "::", mutant["test"])
        if not tests:
            return [], f"no test of {suite} has {mutant['test']} in its name"
        run = subprocess.run([executable, "--exact", *tests], cwd=cwd, env=environment, **limits)
    except subprocess.TimeoutExpired:
        return ["(no end)"], None
    finally:
        if planted:
            path.write_text(before)
    if "Refused {" in run.stdout:
        return [], f"a tool refuses it:\n{run.stdout}"
    lines = [line.split() for line in run.stdout.splitlines()]
    failed = [line[1] for line in lines if line[:1] == ["test"] and line[-1] == "FAILED"]
    return failed or (["(crash)"] if run.returncode else []), None


def unittest_failures(name, tree):
    """The tests of scripts/tests that fail, of those with a name; and a complaint if there is none."""
    command = [sys.executable, "-m", "unittest", "discover", "-s", "scripts/tests", "-k", name]
    run = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=SCHEDULER_SECONDS)
    if "Ran 0 tests" in run.stderr:
        return [], f"scripts/tests has no test {name}"
    return ([name] if run.returncode else []), None


def pytest_failures(block, name, tree, environment):
    """The tests of a block of rtl/ with a name that fail; and a complaint if there is none, or if Verilator does not build them."""
    python = environment.get("WW_PYTHON", str(ROOT / "target/venv/bin/python3"))
    command = ["sh", "scripts/test_rtl.sh", "--quick", "-k", name, str(block)]
    limits = {"capture_output": True, "text": True, "timeout": SCHEDULER_SECONDS}
    run = subprocess.run(command, cwd=tree, env={**environment, "WW_PYTHON": python}, **limits)
    # 5: pytest has found no test.
    if run.returncode == 5:
        return [], f"{block} has no quick test {name}"
    if "%Error" in run.stdout:
        return [], run.stdout
    lines = [line.split() for line in run.stdout.splitlines()]
    failed = [line[1].rpartition("::")[2] for line in lines if line[:1] == ["FAILED"]]
    return failed or (["(crash)"] if run.returncode else []), None


def named(executable, cwd, module, text):
    """The tests of a module whose names contain a text."""
    listed = subprocess.run([executable, "--list"], cwd=cwd, check=True, capture_output=True, text=True)
    names = [line.removesuffix(": test") for line in listed.stdout.splitlines() if line.endswith(": test")]
    return [name for name in names if name.startswith(module) and text in name.removeprefix(module)]


def scheduler_broken(mutants, here):
    """What fails without any mutant."""
    seen, broken = set(), []
    for mutant in mutants:
        who = json.dumps([mutant.get(key) for key in ("package", "suite", "test", "unittest", "pytest")])
        if who not in seen:
            seen.add(who)
            failed, complaint = scheduler_failures(mutant, False, here)
            broken += [f"{who}: {complaint or shown(failed)}"] if failed or complaint else []
    return broken


def shown(failed):
    """The failed tests in a line: the first few of them."""
    names = [name.removeprefix("tests/p4/").removesuffix(".stf") for name in failed]
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def mutated(tree, mutant):
    """The text of a mutant's file and of the mutant, or why there is none."""
    path = tree / mutant["file"]
    text = path.read_text() if path.is_file() else ""
    if not text:
        return None, f"no file {mutant['file']}"
    found = text.count(mutant["find"])
    if found != 1:
        return None, f"its text is found {found} times in {mutant['file']}"
    return (text, text.replace(mutant["find"], mutant["replace"])), None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="mutants whose sentence or file contains this")
    parser.add_argument("--part", default="1/1", metavar="K/N", help="one in N of them, from the K-th on")
    for option, (_, what) in LISTS.items():
        parser.add_argument(f"--{option}", action="store_true", help=what)
    parser.add_argument("--here", action="store_true", help="with --scheduler and those behind it: in this tree, not in a copy")
    parser.add_argument("--demand", type=float, help="percent to be caught")
    parser.add_argument("--check", action="store_true", help="only see whether entries apply")
    parser.add_argument("--json", type=pathlib.Path, help="write the tests that fail per mutant")
    options = parser.parse_args()
    chosen = next((option for option in LISTS if getattr(options, option)), None)
    blocks = chosen not in (None, "hardware")
    if options.demand is None:
        options.demand = 100.0 if chosen else 90.0
    file = ROOT / "tests" / f"mutants_{LISTS[chosen][0]}.toml" if chosen else LIST
    listed = tomllib.loads(file.read_text())["mutant"]
    mutants = [m for m in listed if options.only in m["what"] or options.only in m["file"]]

    part, of = map(int, options.part.split("/"))
    if not 1 <= part <= of:
        parser.error(f"--part {options.part}: K is from 1 to N")
    mutants = mutants[part - 1 :: of]

    if options.check:
        wrong = [f"{m['what']}: {why}" for m in mutants if (why := mutated(ROOT, m)[1])]
        print("\n".join([*wrong, f"{len(mutants) - len(wrong)} of {len(mutants)} entries apply"]))
        sys.exit(1 if wrong else 0)

    if not options.here:
        copy_tree()
    if blocks:
        broken = scheduler_broken(mutants, options.here)
    else:
        broken = []
        executable, complaint = build()
        if complaint:
            sys.exit(f"the tree does not build:\n{complaint}")
        # `None` stands for all tests, on the reference engine.
        for tests in sorted({mutant.get("test") for mutant in mutants}, key=str):
            broken += failures(executable, tests)
    if broken:
        sys.exit(f"without any mutant these fail: {' '.join(broken)}")

    caught, survivors, unusable, results = 0, [], [], {}
    for number, mutant in enumerate(mutants, 1):
        what = mutant["what"]
        texts, why = mutated(ROOT if options.here else COPY, mutant)
        if why:
            unusable.append(f"{what}: {why}")
            continue
        if blocks:
            failed, complaint = scheduler_failures(mutant, True, options.here)
        else:
            path = COPY / mutant["file"]
            path.write_text(texts[1])
            try:
                executable, complaint = build()
                failed = [] if complaint else failures(executable, mutant.get("test"))
            finally:
                path.write_text(texts[0])
        if complaint:
            unusable.append(f"{what}: does not build\n{complaint}")
            continue
        results[what] = failed
        caught += bool(failed)
        if not failed:
            survivors.append(what)
        verdict = f"caught by {shown(failed)}" if failed else "SURVIVES"
        print(f"{number:3}/{len(mutants)} {what}: {verdict}", flush=True)

    for line in unusable:
        print(f"unusable: {line}")
    total = caught + len(survivors)
    percent = 100.0 * caught / total if total else 0.0
    print(f"{caught} of {total} mutants caught ({percent:.0f} %)")
    for what in survivors:
        print(f"  survivor: {what}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    sys.exit(1 if unusable or percent < options.demand else 0)


if __name__ == "__main__":
    main()
