#!/usr/bin/env python3
"""Demands that each module of rtl/ is simulated by a test, and that each block describes itself.

    check_rtl_tests.py [--list] [--write]

A block is a folder of rtl/ with modules; `block.toml` in it says what it is and what its tests compare it
with. A module counts as tested if a test simulates it, or a module that it is part of:

- a Python file of rtl/*/tests names it as what is to be simulated (a string that is a module's name),
- or a test of crates/rtl/tests does, which a block.toml lists with the modules at the top.

The tests themselves check the same when they run: see rtl/conftest.py. Each block has a README and a `.core` for FuseSoC
that lists its modules. The table of blocks in rtl/README.md
comes from the files block.toml: --write rewrites it, otherwise a difference is an error. --list prints the
tests of each module. Standard library only; exit status 1 with a line for each fault.
"""

import argparse
import ast
import re
import sys
import tomllib
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"
RUST_TESTS = ROOT / "crates" / "rtl" / "tests"
README = RTL / "README.md"
ROW = "| [{name}]({name}/README.md) | {summary} |"
# Folders of rtl/ that the README lists and that have no modules.
BESIDE = {
    "driver": "| [driver](driver/README.md) | C driver of the tables |",
    "testing": "| [testing](testing) | Python helpers of the tests |",
}
KNOWN = {"summary": str, "quick_proofs": list, "model": dict, "rust_tests": list}


@cache
def modules() -> dict[str, Path]:
    """The modules of all blocks; a file may hold a package instead."""
    files = sorted(RTL.glob("*/ww_*.sv"))
    return {path.stem: path for path in files if re.search(r"^module\b", path.read_text(), re.M)}


@cache
def named_in(path: Path) -> frozenset[str]:
    """The names with our prefix in a source, outside of comments and strings."""
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\]|\\.)*"', " ", path.read_text(), flags=re.S)
    return frozenset(re.findall(r"\bww_\w+", text))


def within(tops: set[str], beside: dict[str, Path]) -> set[str]:
    """These modules and all below them; `beside` are the benches in the folder of the test."""
    found: set[str] = set()
    waiting = list(tops)
    while waiting:
        name = waiting.pop()
        path = beside.get(name) or modules().get(name)
        if path and name not in found:
            found.add(name)
            waiting += named_in(path)
    return found & set(modules())


def tops_of(path: Path, beside: dict[str, Path]) -> set[str]:
    """What a test file in Python simulates: its strings that are names of modules or benches."""
    strings = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
    return {text for text in strings if isinstance(text, str) and (text in modules() or text in beside)}


def blocks(faults: list[str]) -> dict[str, dict]:
    """The descriptions of all blocks."""
    found = {}
    for folder in sorted({path.parent for path in RTL.glob("*/ww_*.sv")}):
        path = folder / "block.toml"
        where = path.relative_to(ROOT)
        if not path.is_file():
            faults.append(f"{where}: missing; rtl/ram/block.toml is an example")
            continue
        try:
            block = tomllib.loads(path.read_text())
        except tomllib.TOMLDecodeError as error:
            faults.append(f"{where}: {error}")
            continue
        faults += [f"{where}: unknown key `{key}`" for key in block if key not in KNOWN]
        for key, kind in KNOWN.items():
            if key in block and not isinstance(block[key], kind):
                faults.append(f"{where}: `{key}` must be a {kind.__name__}")
        if not block.get("summary"):
            faults.append(f"{where}: `summary` is missing: what is in the block, for the table of rtl/README.md")
        if not set(block.get("model", {})) & {"python", "rust"}:
            faults.append(f"{where}: `[model]` must say what the tests compare the block with: `python` or `rust`")
        missing = [name for name in block.get("quick_proofs", []) if not (folder / "formal" / name).is_file()]
        faults += [f"{where}: `quick_proofs` names {name}, which is not in formal/" for name in missing]
        if not (folder / "README.md").is_file():
            faults.append(f"{folder.relative_to(ROOT)}/README.md: missing")
        faults += core_faults(folder)
        found[folder.name] = block
    return found


def core_faults(folder: Path) -> list[str]:
    """What is wrong with the FuseSoC description of a block: it must list each module, and no file that is not there."""
    core = folder / f"{folder.name}.core"
    where = f"{folder.parent.name}/{folder.name}/{core.name}"
    if not core.is_file():
        return [f"{where}: missing; rtl/axis_register/axis_register.core is an example"]
    listed = set(re.findall(r"^\s*-\s+(\S+\.svh?)\b", core.read_text(), re.M))
    there = {path.name for path in folder.glob("ww_*.sv")}
    faults = [f"{where}: does not list {name}" for name in sorted(there - listed)]
    return faults + [f"{where}: lists {name}, which is not there" for name in sorted(listed) if not (folder / name).is_file()]


def rust_test(name: str) -> Path | None:
    """A test of crates/rtl/tests, which is a module of the one test program or a program of its own."""
    places = [f"{folder}{name}{end}" for folder in ("all/", "") for end in (".rs", "/mod.rs", "/main.rs")]
    return next((RUST_TESTS / place for place in places if (RUST_TESTS / place).is_file()), None)


def rust_judges(descriptions: dict[str, dict], faults: list[str]) -> dict[str, set[str]]:
    """The tests in Rust that simulate a module, for each module."""
    judges = defaultdict(set)
    for folder, block in descriptions.items():
        for entry in block.get("rust_tests", []):
            name, tops = entry.get("test", ""), set(entry.get("tops", []))
            path = rust_test(name)
            if path is None or not tops or tops - set(modules()):
                faults.append(f"rtl/{folder}/block.toml: no test {name!r} in crates/rtl/tests of modules {sorted(tops)}")
                continue
            for module in within(tops, {}):
                judges[module].add(str(path.relative_to(ROOT)))
    return judges


def simulated_in_rust() -> list[str]:
    """The modules that `cargo test -p wirewright-rtl` simulates by themselves."""
    return sorted(rust_judges(blocks([]), []))


def python_judges() -> dict[str, set[str]]:
    """The tests in Python that simulate a module, for each module."""
    judges = defaultdict(set)
    for path in sorted(RTL.glob("*/tests/test_*.py")):
        beside = {bench.stem: bench for bench in path.parent.glob("*.sv")}
        for module in within(tops_of(path, beside), beside):
            judges[module].add(str(path.relative_to(ROOT)))
    return judges


def table(descriptions: dict[str, dict]) -> str:
    """README.md with the table of blocks: the order of its rows stays, new blocks come last."""
    lines = README.read_text().splitlines()
    rows = {name: ROW.format(name=name, summary=block.get("summary")) for name, block in descriptions.items()}
    rows |= BESIDE
    first = next(number for number, line in enumerate(lines) if line.startswith("| ["))
    end = next(number for number in range(first, len(lines)) if not lines[number].startswith("|"))
    old = [re.match(r"\| \[(\w+)\]", line)[1] for line in lines[first:end]]
    order = [name for name in old if name in descriptions]
    order += [name for name in rows if name not in order and name not in BESIDE] + list(BESIDE)
    return "\n".join([*lines[:first], *(rows[name] for name in order), *lines[end:], ""])


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--list", action="store_true", help="print the tests of each module")
    arguments.add_argument("--write", action="store_true", help="rewrite the table of rtl/README.md")
    options = arguments.parse_args()
    faults: list[str] = []
    descriptions = blocks(faults)
    judges = rust_judges(descriptions, faults)
    for module, tests in python_judges().items():
        judges[module] |= tests
    faults += [
        f"{path.relative_to(ROOT)}: no test simulates {module}; rtl/README.md says how to write one"
        for module, path in modules().items()
        if module not in judges
    ]
    if not faults:
        text = table(descriptions)
        if options.write:
            README.write_text(text)
        elif text != README.read_text():
            faults.append("rtl/README.md: the table of blocks is not that of the files block.toml; run scripts/check_rtl_tests.py --write")
    if options.list:
        for module in modules():
            print(module, *sorted(judges.get(module, [])))
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(modules())} modules in {len(descriptions)} blocks, {len(faults)} fault{'s' * (len(faults) != 1)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
