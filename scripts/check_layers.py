#!/usr/bin/env python3
"""Holds the crates to the map of docs/architecture.md: which crate may use which.

    check_layers.py [--root DIR] [--print]

Two fenced blocks of that page are read. `layers` has one line per crate, from the top of the house to the bottom:

    crate: crates that it uses; tests: crates that only its tests use

A crate uses only crates on lines below its own; tests may use any but `cli`. Three lines more speak of engines:

    engines: the crates that execute programs
    no engine itself: crates that use no engine, though they may use crates that do
    closed to engines: crates that reach no engine, by whatever chain of uses

`long files` has one line per source file of more than 700 lines: `path: the reason`.

All that `ww` prints goes through one file, crates/cli/src/output.rs: print macros, which panic when a stream cannot be
written, stand nowhere in the crates' sources (their tests aside), handles of the streams in no other file of cli.

Reported are: an arrow up, a cycle, `cli` used by anyone, an engine that a crate of the last two lines uses or reaches, a
page and manifests (Cargo.toml) that differ, a dependency that no source file names, and files over 700 lines without a
reason, and output past that file. Exit status 1 if there is any. --print writes each crate's line as its manifest has it. Standard library only.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path

PAGE = Path("docs/architecture.md")
LONGEST = 700
SOURCES = (".rs", ".sv", ".svh", ".py", ".c", ".h", ".cpp", ".sh")
TOP = "cli"
OUTPUT = Path("crates/cli/src/output.rs")
PRINTS = re.compile(r"\b(?:e?print(?:ln)?|dbg)!")
STREAMS = re.compile(rf"{PRINTS.pattern}|\bio::std(?:out|err)\b")


def block(page, kind):
    """The lines `name: text` of a fenced block, in order; comments begin with #."""
    found = re.findall(rf"^```{kind}\n(.*?)^```$", page, re.M | re.S)
    if len(found) != 1:
        raise SystemExit(f"{PAGE}: {len(found)} blocks ```{kind}, expected one")
    lines = [line.split("#")[0].strip() for line in found[0].splitlines()]
    return [tuple(part.strip() for part in line.partition(":")[::2]) for line in lines if line]


def names(text):
    return [name.strip() for name in text.split(",") if name.strip()]


class Page:
    """What docs/architecture.md allows."""

    def __init__(self, text):
        self.crates, self.tests, self.engines, self.apart, self.closed = {}, {}, [], [], []
        for name, rest in block(text, "layers"):
            if name == "engines":
                self.engines = names(rest)
            elif name == "no engine itself":
                self.apart = names(rest)
            elif name == "closed to engines":
                self.closed = names(rest)
            else:
                uses, _, tests = rest.partition("; tests:")
                self.crates[name], self.tests[name] = names(uses), names(tests)
        self.long_files = dict(block(text, "long files"))
        self.rank = {name: rank for rank, name in enumerate(self.crates)}


class Crate:
    """What a crate's manifest and sources say."""

    def __init__(self, folder):
        manifest = tomllib.loads((folder / "Cargo.toml").read_text())
        self.name = manifest["package"]["name"].removeprefix("wirewright-")
        self.uses = ours(manifest, "dependencies", "build-dependencies")
        self.tests = ours(manifest, "dev-dependencies")
        self.in_sources = named(folder, "src") | named(folder, "build.rs")
        self.in_tests = self.in_sources | named(folder, "tests") | named(folder, "examples") | named(folder, "benches")


def ours(manifest, *tables):
    """The crates of this workspace among some tables of dependencies, with those of certain targets."""
    parts = [manifest, *manifest.get("target", {}).values()]
    keys = [key for part in parts for table in tables for key in part.get(table, {})]
    return {key.removeprefix("wirewright-") for key in keys if key.startswith("wirewright-")}


def named(folder, part):
    """The crates `ww_*` that the Rust files of a part name in code. A `-` of a package is a `_` there."""
    path = folder / part
    files = path.rglob("*.rs") if path.is_dir() else [path] if path.is_file() else []
    found = {name for file in files for name in re.findall(r"\bww_(\w+?)(?:::|;| as )", file.read_text())}
    return {name.replace("_", "-") for name in found}


def read(root):
    """The crates of the workspace by name."""
    found = map(Crate, sorted(path.parent for path in root.glob("crates/*/Cargo.toml")))
    return {crate.name: crate for crate in found}


def differences(page, crates):
    """Where the page and the manifests do not say the same."""
    for name in crates.keys() - page.crates.keys():
        yield f"crate {name} has no line in the block `layers` of {PAGE}"
    for name in page.crates.keys() - crates.keys():
        yield f"{PAGE}: there is no crate {name}"
    for name in crates.keys() & page.crates.keys():
        crate = crates[name]
        for what, listed, true in (
            ("", set(page.crates[name]), crate.uses),
            ("in its tests ", set(page.tests[name]), crate.tests - crate.uses),
        ):
            for other in sorted(true - listed):
                yield f"{name} uses {other} {what}(its Cargo.toml), which {PAGE} does not allow"
            for other in sorted(listed - true):
                yield f"{PAGE}: {name} may use {other} {what}but its Cargo.toml does not: remove it from the line"
    for name in {*page.engines, *page.apart, *page.closed} - crates.keys():
        yield f"{PAGE}: there is no crate {name}"


def unused(crates):
    """Dependencies that no source file names."""
    for name, crate in crates.items():
        for other in sorted(crate.uses - crate.in_sources):
            where = "only its tests name it: make it a dev-dependency" if other in crate.in_tests else "no source file names it"
            yield f"{name} depends on {other}, but {where}"
        for other in sorted(crate.tests - crate.in_tests):
            yield f"{name} has {other} as a dev-dependency, but no source file names it"


def arrows(page, crates):
    """Arrows up, and whoever uses the command line."""
    for name, crate in crates.items():
        for other in sorted(crate.uses | crate.tests):
            if other == TOP:
                yield f"{name} uses {TOP}: nothing may"
        for other in sorted(crate.uses):
            if name in page.rank and page.rank.get(other, len(page.rank)) <= page.rank[name]:
                yield f"an arrow up: {name} uses {other}, which stands above it in {PAGE}"


def cycle(crates):
    """A cycle among the crates, as a list of names that begins and ends with the same one."""
    done = set()

    def walk(name, path):
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done or name not in crates:
            return None
        for other in sorted(crates[name].uses):
            if found := walk(other, [*path, name]):
                return found
        done.add(name)
        return None

    return next((found for name in sorted(crates) if (found := walk(name, []))), None)


def reached(name, crates, engines):
    """The chain of uses from a crate to an engine."""
    queue, before = [name], {name: None}
    while queue:
        at = queue.pop(0)
        if at in engines:
            chain = []
            while at is not None:
                chain.append(at)
                at = before[at]
            return chain[::-1]
        for other in sorted(crates[at].uses if at in crates else ()):
            if other not in before:
                before[other] = at
                queue.append(other)
    return None


def engines_reached(page, crates):
    for name in page.apart:
        uses = (crates[name].uses | crates[name].tests) if name in crates else ()
        for engine in sorted(set(uses) & set(page.engines)):
            yield f"{name} uses {engine} itself; it may do so through other crates and the traits of dataplane only"
    for name in page.closed:
        if chain := reached(name, crates, page.engines):
            yield f"{name} reaches an engine ({' -> '.join(chain)}); it may do so through the traits of dataplane only"


def long_files(page, root):
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True).stdout
    lengths = {}
    for name in filter(None, listed.split("\0")):
        path = root / name
        if path.suffix in SOURCES and path.is_file():
            lengths[name] = len(path.read_bytes().splitlines())
    for name, length in sorted(lengths.items()):
        if length > LONGEST and not page.long_files.get(name):
            yield f"{name} has {length} lines, more than {LONGEST}, and no reason in the block `long files` of {PAGE}"
    for name in page.long_files:
        if lengths.get(name, 0) <= LONGEST:
            yield f"{PAGE}: {name} is not longer than {LONGEST} lines (any more): remove its line"


def prints(root):
    """Output that goes past the one file for it."""
    for path in sorted(root.glob("crates/*/src/**/*.rs")):
        name = path.relative_to(root)
        if name == OUTPUT or "tests" in name.parts:
            continue
        wrong = STREAMS if name.parts[1] == TOP else PRINTS
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if found := wrong.search(line.split("//")[0]):
                yield f"{name}:{number}: `{found[0]}`: output goes through {OUTPUT}, which keeps a closed or full stream from ending the program"


def problems(root):
    page = Page((root / PAGE).read_text())
    crates = read(root)
    found = [*differences(page, crates), *unused(crates), *arrows(page, crates)]
    if ring := cycle(crates):
        found.append(f"a cycle: {' -> '.join(ring)}")
    return [*found, *engines_reached(page, crates), *long_files(page, root), *prints(root)]


def lines(root):
    """The line of each crate as its manifest has it, in the page's order; crates that are new come last."""
    rank = Page((root / PAGE).read_text()).rank

    def order(found):
        return sorted(found, key=lambda name: (rank.get(name, len(rank)), name))

    crates = read(root)
    for name in order(crates):
        tests = ", ".join(order(crates[name].tests - crates[name].uses))
        yield f"{name}: {', '.join(order(crates[name].uses))}".rstrip() + (f"; tests: {tests}" if tests else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--print", action="store_true", dest="prints", help="each crate's line as its manifest has it")
    options = parser.parse_args()
    if options.prints:
        print("\n".join(lines(options.root)))
        return
    found = problems(options.root)
    for problem in found:
        print(problem, file=sys.stderr)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
