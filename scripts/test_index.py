#!/usr/bin/env python3
"""Writes docs/test-index.md: for each section of the specification, the tests that cover it.

    test_index.py [--check]

The sections come from the `# spec:` and `// spec:` lines at the top of the tests (docs/testing.md
has their form). With --check nothing is written: exit status 1 if the page is out of date, or if a
test that must have such a line has none. Standard library only.
"""

import argparse
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "test-index.md"
TESTS = ROOT / "tests" / "p4"

SPEC_LINE = re.compile(r"^(?:#|//)\s*spec:\s*(.*?)\s*$")
SECTION = re.compile(r"^(?:P4_16\s+)?(?:§|Appendix\s+)([0-9]+|[A-H])((?:\.[0-9]+)*)\.?(?:\s+(.*))?$")

HEAD = """\
<!-- Written by scripts/test_index.py; do not edit. -->
# Index of the tests

From sections of the P4_16 specification 1.2.5 to the tests that cover them. `run` are tests with
packets ({run} in all), `accept` programs that must be accepted ({accept}), `reject` programs that
must be rejected ({reject}); the programs for warnings ({warn}) are filed by warning at the end.
Paths are relative to `tests/p4` unless they say otherwise. [testing.md](testing.md) explains the
kinds.
"""


class Test:
    """A test, its kind, its place, and what it says it covers."""

    def __init__(self, path):
        self.path = path
        inside = path.relative_to(TESTS).parts if path.is_relative_to(TESTS) else ()
        self.kind = inside[0] if inside and inside[0] in ("accept", "reject", "warn") else "run"
        folder = path.parent
        self.folder = str(folder.relative_to(TESTS if inside else ROOT))
        self.topics = []
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if match := SPEC_LINE.match(line):
                    self.topics += [part.strip() for part in match[1].split(";") if part.strip()]

    @property
    def name(self):
        return self.path.name.removesuffix(".stf").removesuffix(".p4")


def find_tests():
    stf = [*TESTS.rglob("*.stf"), *(ROOT / "p4" / "programs").rglob("*.stf"), *(ROOT / "examples").rglob("*.stf")]
    judged = [path for kind in ("accept", "reject", "warn") for path in (TESTS / kind).rglob("*.p4")]
    return [Test(path) for path in sorted({*stf, *judged})]


def section_key(number):
    """Sections sort as numbers, appendices behind them."""
    parts = number.split(".")
    first = (1, ord(parts[0])) if parts[0].isalpha() else (0, int(parts[0]))
    return (first, [int(part) for part in parts[1:]])


def grouped(tests):
    """`folder`: name, name; one group for each folder."""
    folders = defaultdict(set)
    for test in tests:
        folders[test.folder].add(test.name)
    return "; ".join(f"`{folder}`: {', '.join(sorted(names))}" for folder, names in sorted(folders.items()))


def by_kind(tests):
    lines = []
    for kind in ("run", "accept", "reject", "warn"):
        if found := [test for test in tests if test.kind == kind]:
            lines.append(f"- {kind}: {grouped(found)}")
    return lines


def page(tests):
    sections, titles, others = defaultdict(list), defaultdict(Counter), defaultdict(list)
    for test in tests:
        for topic in test.topics:
            if match := SECTION.match(topic):
                number = match[1] + match[2]
                sections[number].append(test)
                if match[3]:
                    titles[number][match[3]] += 1
            else:
                others[topic].append(test)
    count = Counter(test.kind for test in tests)
    out = [HEAD.format(**{kind: count[kind] for kind in ("run", "accept", "reject", "warn")})]
    out.append("## The language\n")
    for number in sorted(sections, key=section_key):
        # Several spellings of a title: the most frequent one.
        known = sorted(titles[number].items(), key=lambda item: (-item[1], item[0]))
        title = f" {known[0][0]}" if known else ""
        out.append(f"### §{number}{title}\n")
        out += by_kind(sections[number])
        out.append("")
    for heading, wanted in (("v1model", True), ("Other sources", False)):
        topics = sorted(topic for topic in others if topic.startswith("v1model") == wanted)
        if topics:
            out.append(f"## {heading}\n")
            out += [f"- {topic.removeprefix('v1model ')}: {grouped(others[topic])}" for topic in topics]
            out.append("")
    warnings = defaultdict(list)
    for test in tests:
        if test.kind == "warn":
            warnings[test.path.parent.name].append(test)
    out.append("## Warnings\n")
    out += [f"- {lint}: {', '.join(sorted(test.name for test in found))}" for lint, found in sorted(warnings.items())]
    return "\n".join(out).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, complain if the page is out of date")
    options = parser.parse_args()
    tests = find_tests()
    # The tests of warnings are filed by warning; those of whole programs need no section.
    silent = [t for t in tests if not t.topics and t.kind != "warn" and t.path.is_relative_to(TESTS)]
    for test in silent:
        print(f"{test.path.relative_to(ROOT)}: no `spec:` line says what it covers", file=sys.stderr)
    text = page(tests)
    if not options.check:
        PAGE.write_text(text, encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        print("docs/test-index.md is out of date: run python3 scripts/test_index.py", file=sys.stderr)
        return 1
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
