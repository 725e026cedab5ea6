#!/usr/bin/env python3
"""Runs the programs of p4/programs: their STF tests and their captures.

    test_programs.py [--ww PATH] [--engine E] [NAME ...]

For each program (or those named) every NAME.*.stf must pass, and for each
folder with entries.txt and captures, what `ww run` writes must be what
expected.N.pcap says. The name `micro` stands for a choice of synthetic
programs, written by micro.py. Exit status: 0 all passed, 1 something failed.
Standard library only.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent
PROGRAMS = SCRIPTS.parent / "p4" / "programs"
sys.path.insert(0, str(SCRIPTS))

import pcap_file
from compare_pcaps import first_difference

MICRO = ["headers 0", "headers 1", "headers 16", "tables 1", "tables 8", "tables 32", "fields 8", "fields 64", "empty"]


class Runner:
    """Runs `ww` and counts what failed."""

    def __init__(self, ww, engine):
        self.ww = ww
        self.engine = ["--engine", engine] if engine else []
        self.passed, self.failed = 0, 0

    def report(self, name, problem):
        if problem is None:
            self.passed += 1
            print(f"ok    {name}")
        else:
            self.failed += 1
            print(f"FAIL  {name}\n{problem}")

    def call(self, *arguments):
        """None, or what `ww` said when it failed."""
        done = subprocess.run([self.ww, *map(str, arguments), *self.engine], capture_output=True, text=True, check=False)
        return None if done.returncode == 0 else f"exit status {done.returncode}\n{done.stdout}{done.stderr}"

    def stf(self, program, test):
        self.report(f"{program.stem}: {test.name}", self.call("stf", program, test))

    def captures(self, program, folder):
        ports = sorted({int(re.search(r"\d+", path.name)[0]) for path in folder.glob("*.*.pcap")})
        with tempfile.TemporaryDirectory() as out:
            specs = []
            for port in ports:
                source = folder / f"in.{port}.pcap"
                specs += ["--port", f"{port}={source if source.exists() else ''}:{out}/{port}.pcap"]
            problem = self.call("run", program, "--entries", folder / "entries.txt", *specs)
            for port in ports if problem is None else []:
                wanted = folder / f"expected.{port}.pcap"
                want = [data for _, data in pcap_file.read(wanted)] if wanted.exists() else []
                got = [data for _, data in pcap_file.read(f"{out}/{port}.pcap")]
                difference = first_difference(got, want)
                if difference:
                    problem = f"port {port}: {difference}"
                    break
        self.report(f"{program.stem}: captures of {folder.name}", problem)

    def program(self, program):
        for test in sorted(program.parent.glob(f"{program.stem}.*stf")):
            self.stf(program, test)
        folder = program.parent
        for case in [folder, *sorted(path for path in folder.iterdir() if path.is_dir())]:
            if (case / "entries.txt").exists() and list(case.glob("in.*.pcap")):
                self.captures(program, case)

    def micro(self):
        for kind in MICRO:
            with tempfile.TemporaryDirectory(prefix=f"{kind.replace(' ', '_')}_") as out:
                command = [sys.executable, str(SCRIPTS / "micro.py"), *kind.split(), "--out", out, "--size", "64-300"]
                subprocess.run(command, check=True)
                self.program(Path(out) / "micro.p4")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--ww", default="ww", help="the command to test (default: ww)")
    parser.add_argument("--engine", help="passed on to ww")
    options = parser.parse_args()
    runner = Runner(options.ww, options.engine)
    known = sorted(path.parent.name for path in PROGRAMS.glob("*/*.p4") if path.stem == path.parent.name)
    for name in options.names or [*known, "micro"]:
        if name == "micro":
            runner.micro()
        elif name in known:
            runner.program(PROGRAMS / name / f"{name}.p4")
        else:
            parser.error(f"{name}: no such program; there are {', '.join([*known, 'micro'])}")
    print(f"{runner.passed} passed, {runner.failed} failed")
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main())
