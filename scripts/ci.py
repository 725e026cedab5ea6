#!/usr/bin/env python3
"""Builds and tests in phases; people and CI call the same: `make test` is `scripts/ci.py test`.

    scripts/ci.py [--jobs N] [--list] PHASE|GROUP ...

A phase is a row of PHASES: what it runs, what has to be there first, and what it must not run beside. Needed phases run
first, too. Up to N phases (2) run at the same time, in the order of the list: simulations of hardware beside compilation.
`--jobs 1` runs one after the other. A failure does not stop phases that do not need the failed one.

The output of a phase is in target/ci/PHASE.log; all of it is printed if the phase fails. At the end, whether something
failed or not, a table of phases with their times is printed, and the tests that were skipped with their reasons. As root a
test that was skipped because it needs network namespaces is a failure. Exit status 1 if anything failed.
Standard library only.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "target" / "ci"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WW = TARGET / "debug" / "ww"
CARGO = os.environ.get("CARGO", "cargo")
PYTHON = os.environ.get("WW_PYTHON", str(ROOT / "target" / "venv" / "bin" / "python3"))
FUZZ_SECONDS = os.environ.get("FUZZ_SECONDS", "15")
# Seconds between the lines that say what runs.
SIGN_OF_LIFE = 60


@dataclass(frozen=True)
class Phase:
    """Commands, one after the other, until one fails."""

    name: str
    commands: tuple
    needs: tuple = ()
    # Phases of one word hold the same thing, as cargo's build folder, and do not run at the same time.
    holds: str = ""
    # Measures time: nothing runs beside it, and it comes last.
    alone: bool = False


def phase(name, *commands, **more):
    return Phase(name, tuple(command.split() for command in commands), **more)


def ignored(package, module):
    """The tests that are too long for each change."""
    return f"{CARGO} test -p wirewright-{package} --test all {module} -- --ignored --nocapture"


def rtl(environment, tests):
    return f"env {environment} sh scripts/test_rtl.sh {tests}"


PHASES = [
    phase("setup", "sh scripts/setup.sh"),
    phase(
        "checks",
        f"{CARGO} fmt --all --check",
        "python3 scripts/check_layers.py",
        "python3 -m unittest discover -q -s scripts/tests",
        "python3 scripts/test_index.py --check",
        "python3 scripts/check_rtl_tests.py",
        "python3 scripts/mutants.py --check",
        "python3 scripts/mutants.py --hardware --check",
        "python3 scripts/mutants.py --scheduler --check",
        "python3 scripts/mutants.py --tpp --check",
        "python3 scripts/mutants.py --phy --check",
        "python3 scripts/mutants.py --loaders --check",
        "python3 scripts/mutants.py --silent --check",
        "python3 scripts/mutants.py --fabric --check",
        "python3 scripts/mutants.py --tcp --check",
        needs=("setup",),
    ),
    # With the tests: their dependencies ask for other features of common packages, and what is built without them is
    # built again.
    phase("build", f"{CARGO} build --workspace --all-targets", needs=("setup",), holds="cargo"),
    phase("lint-rtl", "sh scripts/lint_rtl.sh", needs=("setup",)),
    # Every module of rtl/ in a simulation, and the proofs that end within a minute.
    phase("test-rtl-quick", "sh scripts/test_rtl.sh --quick", needs=("setup",)),
    phase("formal-quick", "sh scripts/formal.sh --quick", needs=("setup",)),
    phase("cargo-test", f"{CARGO} test --workspace --no-fail-fast --test all", needs=("build",)),
    # It compiles dependencies a second time, as metadata: beside tests, which do not compile.
    phase(
        "clippy",
        f"{CARGO} clippy --workspace --all-targets -- -D warnings",
        needs=("build",),
        holds="cargo",
    ),
    phase("lint-emitted", f"{PYTHON} scripts/lint_emitted.py {WW}", needs=("build",)),
    phase(
        "programs",
        f"python3 scripts/test_programs.py --ww {WW} --engine interp",
        f"python3 scripts/test_programs.py --ww {WW} --engine jit",
        needs=("build",),
    ),
    phase("published", f"python3 scripts/published.py --ww {WW}", needs=("build",)),
    phase("frozen", f"python3 scripts/frozen.py --ww {WW}", needs=("build",)),
    phase(
        "fabrics",
        f"{PYTHON} scripts/check_expanders.py --ww {WW}",
        f"{PYTHON} scripts/max_min_oracle.py --check",
        f"python3 scripts/compare_fabrics.py --ww {WW} --quick",
        needs=("build",),
    ),
    phase("hostile", f"python3 scripts/hostile.py --ww {WW} --seconds 60", needs=("build",)),
    phase("python", "sh scripts/test_python.sh", needs=("build",)),
    phase(
        "tcp-linux",
        f"python3 scripts/tcp_linux.py --ww {WW}",
        f"python3 scripts/tcp_linux.py --ww {WW} --engine rtl",
        needs=("build",),
    ),
    phase("doc", f"{CARGO} test --workspace --doc", needs=("build",), holds="cargo"),
    phase("fuzz", f"sh scripts/fuzz.sh {FUZZ_SECONDS}", needs=("setup",)),
    # cargo runs one binary after the other, and some end with one long test: these run beside the last of cargo-test.
    phase("unit-test", f"{CARGO} test --workspace --no-fail-fast --lib --bins", needs=("build",)),
    # Of the workspace, although each is of one crate: with `-p`, dependencies have fewer features than the build gave
    # them, and a hundred crates are built again.
    phase(
        "real-time",
        f"{CARGO} test --workspace --test live",
        f"{CARGO} test --workspace --test soak",
        needs=("build",),
        alone=True,
    ),
]

# What takes long, in parts of less than two hours each on two cores.
LONG = {
    "test-rtl": [phase("test-rtl", "sh scripts/test_rtl.sh", needs=("setup",))],
    "formal": [phase("formal", "sh scripts/formal.sh", needs=("setup",))],
    # The clock that blocks reach alone on an ECP5, as bounds.
    "clock-rtl": [
        phase(
            "clock-rtl",
            f"{PYTHON} scripts/clock_rtl.py --least 135 ww_deparse WIDTH=512 HEADER_BYTES=106 REGISTERED=1",
            f"{PYTHON} scripts/clock_rtl.py --least 95 ww_packet_store",
            needs=("setup",),
        )
    ],
    "long-hardware": [
        phase("published-all", f"python3 scripts/published.py --ww {WW} --all", needs=("build",)),
        phase(
            "pieo-large",
            f"env WW_PIEO_LARGE=1 WW_PIEO_OPERATIONS=1000000 {ignored('rtl', 'pieo::many_elements')}",
            f"{ignored('rtl', 'pieo::')} --skip many_elements",
            needs=("build",),
        ),
        phase("mmu-long", rtl("WW_MMU_OPERATIONS=1000000", "rtl/packet_store/tests/test_ww_mmu.py"), needs=("setup",)),
        phase(
            "hardware-programs",
            f"env WW_PROGRAMS=500 {CARGO} test -p wirewright-generate --test all hardware:: -- --nocapture",
            needs=("build",),
        ),
        phase("checksum-figures", "target/venv/bin/python3 scripts/checksum_figures.py", needs=("setup",)),
        phase("long-rtl", *(ignored("rtl", name) for name in ("two_level::", "tpp::", "dtp::", "ddr4::", "toe::", "limago::")), needs=("build",)),
    ],
    "long-software": [
        phase(
            "differential",
            f"env WW_SEEDS={os.environ.get('SEEDS', '2000..20000')} {CARGO} test -p wirewright-generate --test all engines::",
            needs=("build",),
        ),
        phase("phy-release", f"{CARGO} test --release -p wirewright-phy -- --ignored", needs=("setup",), holds="cargo"),
        phase("wheel", "sh scripts/test_python.sh --wheel", needs=("build",), holds="cargo"),
        phase("captures", "sh scripts/regenerate_captures.sh --check", needs=("setup",)),
        phase("fuzz-long", "sh scripts/fuzz.sh 300", needs=("setup",)),
        phase(
            "program-mutants",
            f"python3 scripts/program_mutants.py --ww {WW} --count 20000 --seed 2",
            f"python3 scripts/program_mutants.py --ww {WW} --count 1200 --seed 3 --rtl 200",
            needs=("build",),
        ),
        phase("hostile-long", f"python3 scripts/hostile.py --ww {WW} --seconds 1200 --seed 2", needs=("build",)),
        phase("drill-linux", "python3 scripts/drill_linux.py", needs=("setup",), alone=True),
        phase(
            "tcp-linux-full",
            f"python3 scripts/tcp_linux.py --ww {WW} --full",
            f"python3 scripts/tcp_linux.py --ww {WW} --engine rtl --full",
            needs=("build",),
        ),
        phase("tcp-long", ignored("tcp", "pair::"), ignored("tcp", "sessions::"), needs=("build",)),
        phase("fabric-long", ignored("fabric", "relay::"), ignored("rtl", "shoal::"), needs=("build",)),
        phase("costs", ignored("engine", "tcpu::cost"), ignored("host", "shim_cost::"), needs=("build",), alone=True),
        phase("dpdk", "sh scripts/test_dpdk.sh", needs=("build",), holds="cargo"),
        phase(
            "soak-long",
            f"env WW_SOAK_SECONDS=60 {CARGO} test --workspace --test soak -- --nocapture",
            needs=("build",),
            alone=True,
        ),
    ],
    "long-labs": [phase("labs", f"sh scripts/labs.sh {WW}", needs=("build",))],
    "mutants-engine-1": [phase("mutants-engine-1", "python3 scripts/mutants.py --part 1/2", needs=("setup",), holds="mutants")],
    "mutants-engine-2": [phase("mutants-engine-2", "python3 scripts/mutants.py --part 2/2", needs=("setup",), holds="mutants")],
    **{
        f"mutants-{short}": [
            phase(f"mutants-{short}", f"python3 scripts/mutants.py --{option}", needs=("setup",), holds="mutants")
        ]
        for short, option in (("rtl", "hardware"), ("sched", "scheduler"), ("tpp", "tpp"), ("phy", "phy"), ("loaders", "loaders"), ("silent", "silent"), ("fabric", "fabric"), ("tcp", "tcp"))
    },
}

GROUPS = {
    "test": [phase.name for phase in PHASES],
    "lint": ["checks", "clippy"],
    "cargo-test": ["cargo-test", "unit-test"],
    **{name: [phase.name for phase in phases] for name, phases in LONG.items()},
}
GROUPS["mutants"] = [name for name in GROUPS if name.startswith("mutants-")]
GROUPS["test-all"] = [name for names in GROUPS.values() for name in names]
for phases in LONG.values():
    PHASES += phases


def chosen(names):
    """The phases of some names and groups, and those that they need, in the order of the list."""
    by_name = {phase.name: phase for phase in PHASES}
    wanted, todo = set(), [name for given in names for name in GROUPS.get(given, [given])]
    while todo:
        name = todo.pop()
        if name not in by_name:
            raise SystemExit(f"no phase {name}; --list shows them")
        if name not in wanted:
            wanted.add(name)
            todo += by_name[name].needs
    return [phase for phase in PHASES if phase.name in wanted]


class Run:
    """A phase that runs: its commands, the present one as a process."""

    def __init__(self, phase, environment):
        self.phase, self.environment = phase, environment
        self.begin, self.end, self.status = time.monotonic(), None, None
        self.path = LOGS / f"{phase.name}.log"
        self.log = self.path.open("w")
        self.left = list(phase.commands)
        self.process = None
        self.next()

    def next(self):
        command = self.left.pop(0)
        print("$", *command, file=self.log, flush=True)
        # A process group of its own, so that all of it can be stopped.
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def poll(self):
        """Whether it has ended."""
        status = self.process.poll()
        if status is None:
            return False
        if status == 0 and self.left:
            self.next()
            return False
        self.end, self.status = time.monotonic(), status
        self.log.close()
        return True

    def stop(self):
        try:
            os.killpg(self.process.pid, 15)
        except ProcessLookupError:
            pass
        self.process.wait()

    def seconds(self):
        return (self.end or time.monotonic()) - self.begin


def clock(seconds):
    return f"{int(seconds) // 60:3}:{int(seconds) % 60:02}"


def ready(waiting, running, ended):
    """The next phase that may start, or None; phases whose needs failed are never ready."""
    if any(run.phase.alone for run in running):
        return None
    held = {run.phase.holds for run in running} - {""}
    for phase in waiting:
        if phase.alone and (running or any(not other.alone for other in waiting)):
            continue
        if phase.holds not in held and all(ended.get(need) == 0 for need in phase.needs):
            return phase
    return None


def blocked(waiting, ended):
    """Phases that cannot run any more, because one that they need failed or cannot run either."""
    dead = {name for name, status in ended.items() if status != 0}
    while more := {p.name for p in waiting if p.name not in dead and any(need in dead for need in p.needs)}:
        dead |= more
    return [phase for phase in waiting if phase.name in dead]


def execute(phases, jobs, environment):
    """Runs phases; gives those that ran, in the order of their ends, and those that could not."""
    waiting, running, done, ended, impossible = list(phases), [], [], {}, []
    said = time.monotonic()
    try:
        while waiting or running:
            for phase in blocked(waiting, ended):
                waiting.remove(phase)
                impossible.append(phase)
            while len(running) < jobs and (phase := ready(waiting, running, ended)):
                waiting.remove(phase)
                running.append(Run(phase, environment))
                print(f"== {phase.name} begins", flush=True)
            for run in [run for run in running if run.poll()]:
                running.remove(run)
                done.append(run)
                ended[run.phase.name] = run.status
                report(run)
                said = time.monotonic()
            if running and time.monotonic() - said >= SIGN_OF_LIFE:
                said = time.monotonic()
                print("..", ", ".join(f"{run.phase.name} {clock(run.seconds()).strip()}" for run in running), flush=True)
            time.sleep(0.1 if running else 0)
    except KeyboardInterrupt:
        for run in running:
            run.stop()
            run.end, run.status = time.monotonic(), 130
            done.append(run)
        impossible += waiting
    return done, impossible


def report(run):
    """Says how a phase ended: its last lines, or all of them if it failed."""
    lines = run.path.read_text(errors="replace").splitlines()
    if run.status != 0:
        print(*lines, sep="\n")
        print(f"== {run.phase.name} FAILED with status {run.status} after {clock(run.seconds()).strip()}", flush=True)
    else:
        results = [line for line in lines if line.startswith("test result:")]
        passed = sum(int(found[1]) for line in results if (found := re.search(r"(\d+) passed", line)))
        summary = [f"   {passed} tests passed in {len(results)} binaries"] if results else [f"   {x}" for x in lines[-1:]]
        print(*summary, f"== {run.phase.name} passed after {clock(run.seconds()).strip()}", sep="\n", flush=True)


def skipped(runs, collected):
    """The tests that were skipped, each a line with its reason: what the tests wrote down themselves, and what the
    outputs of the phases say."""
    lines = collected.read_text(errors="replace").splitlines() if collected.exists() else []
    for run in runs:
        if run.path.exists():
            lines += re.findall(r"^(?!\$ ).*?\bSKIPPED\b:? ?(.*)$", run.path.read_text(errors="replace"), re.M)
    return sorted({line.strip() for line in lines if line.strip()})


def table(runs, impossible, begin):
    """The phases with their times."""
    rows = [(run.phase.name, run.begin - begin, run.seconds(), run.status) for run in sorted(runs, key=lambda r: r.begin)]
    print("\nphase            began   took  result")
    for name, began, took, status in rows:
        print(f"{name:15} {clock(began)} {clock(took)}  {'passed' if status == 0 else f'FAILED ({status})'}")
    for phase in impossible:
        print(f"{phase.name:15}      -      -  not run")
    print(f"{'total':15}        {clock(time.monotonic() - begin)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="PHASE|GROUP")
    parser.add_argument("--jobs", type=int, default=2, help="phases at the same time")
    parser.add_argument("--list", action="store_true", help="the phases and groups")
    options = parser.parse_args()
    if options.list or not options.names:
        for one in PHASES:
            needs = f" (after {', '.join(one.needs)})" if one.needs else ""
            print(f"{one.name}{needs}:", *(" ".join(command) for command in one.commands), sep="\n    ")
        for name, members in GROUPS.items():
            print(f"group {name}: {' '.join(members)}")
        return 0
    LOGS.mkdir(parents=True, exist_ok=True)
    collected = LOGS / "skipped.txt"
    collected.unlink(missing_ok=True)
    environment = {**os.environ, "WW_SKIPPED": str(collected), "WW": str(WW)}
    # Models of generated hardware stay in the tree, so that a fresh clone builds its own.
    environment.setdefault("WW_CACHE", str(ROOT / "target" / "models"))
    begin = time.monotonic()
    runs, impossible = execute(chosen(options.names), options.jobs, environment)
    table(runs, impossible, begin)
    skips = skipped(runs, collected)
    print(f"\n{len(skips)} tests were skipped{':' if skips else ''}")
    for line in skips:
        print(f"  {line}")
    failed = [run.phase.name for run in runs if run.status != 0] + [phase.name for phase in impossible]
    if os.geteuid() == 0 and any("namespace" in line for line in skips):
        print("as root no test that needs namespaces may be skipped")
        failed.append("skipped tests")
    print(f"\nFAILED: {', '.join(failed)}" if failed else "\npassed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
