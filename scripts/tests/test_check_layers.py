"""Each kind of violation, planted in a small tree, is reported by name."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import check_layers

# The tree: a command, an application that forwards packets, ports, an engine, what they meet at.
TREE = {"cli": ["run", "engine"], "run": ["io"], "engine": ["dataplane"], "io": ["dataplane"], "dataplane": []}


class Layers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.uses = {name: list(uses) for name, uses in TREE.items()}
        self.page = {name: list(uses) for name, uses in TREE.items()}
        self.tests, self.page_tests, self.long, self.closed, self.apart = {}, {}, {}, "run, io", "run"

    def found(self):
        for name, uses in self.uses.items():
            folder = self.root / "crates" / name
            (folder / "src").mkdir(parents=True, exist_ok=True)
            tests = self.tests.get(name, [])
            lines = [f'[package]\nname = "wirewright-{name}"', "[dependencies]"]
            lines += [f'wirewright-{other} = {{ path = "../{other}" }}' for other in uses]
            lines += ["[dev-dependencies]", *(f"wirewright-{other}.workspace = true" for other in tests)]
            (folder / "Cargo.toml").write_text("\n".join(lines) + "\n")
            source = folder / "src" / "lib.rs"
            if not source.exists():
                source.write_text("".join(f"use ww_{other}::x;\n" for other in [*uses, *tests]))
        layers = [f"{name}: {', '.join(uses)}{self.also(name)}" for name, uses in self.page.items()]
        layers += ["engines: engine", f"no engine itself: {self.apart}", f"closed to engines: {self.closed}"]
        long = [f"{name}: {reason}" for name, reason in self.long.items()]
        blocks = [("layers", layers), ("long files", long)]
        page = "".join(f"```{kind}\n" + "".join(f"{line}\n" for line in lines) + "```\n\n" for kind, lines in blocks)
        (self.root / "docs").mkdir(exist_ok=True)
        (self.root / "docs" / "architecture.md").write_text(page)
        for command in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", *command], cwd=self.root, check=True)
        return check_layers.problems(self.root)

    def also(self, name):
        tests = self.page_tests.get(name)
        return f"; tests: {', '.join(tests)}" if tests else ""

    def both(self, name, other):
        """An arrow, in the manifest and on the page."""
        self.uses[name].append(other)
        self.page[name].append(other)

    def test_output_goes_through_one_file(self):
        for name, text in [
            ("cli/src/output.rs", "fn f() { io::stderr(); }\n"),
            ("io/src/tests/a.rs", 'fn f() { println!("x"); }\n'),
            ("io/src/b.rs", "//! println!();\nfn f() { write!(io::stdout()); }\n"),
        ]:
            path = self.root / "crates" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.assertEqual(self.found(), [])
        for crate, text in [
            ("run", 'eprintln!("x");'),
            ("run", "dbg!(x);"),
            ("cli", 'print!("x");'),
            ("cli", "let mut out = std::io::stdout().lock();"),
            ("cli", "use std::io::stderr;"),
        ]:
            wrong = self.root / "crates" / crate / "src" / "c.rs"
            wrong.write_text(f"// A comment.\n{text}\n")
            (problem,) = self.found()
            self.assertIn(f"crates/{crate}/src/c.rs:2: ", problem)
            wrong.unlink()

    def test_a_tree_in_order_has_no_problems(self):
        self.assertEqual(self.found(), [])

    def test_an_arrow_up(self):
        self.both("dataplane", "io")
        self.uses["io"].clear()
        self.page["io"].clear()
        self.assertEqual(
            self.found(), ["an arrow up: dataplane uses io, which stands above it in docs/architecture.md"]
        )

    def test_a_cycle(self):
        self.both("dataplane", "io")
        self.assertIn("a cycle: dataplane -> io -> dataplane", self.found())

    def test_the_command_line_used_by_another(self):
        self.tests["run"] = self.page_tests["run"] = ["cli"]
        self.assertEqual(self.found(), ["run uses cli: nothing may"])

    def test_an_engine_used_by_ports(self):
        self.both("io", "engine")
        # Above the engine, so that this is no arrow up.
        self.page = {name: self.page[name] for name in ("cli", "run", "io", "engine", "dataplane")}
        self.assertEqual(
            self.found(),
            [
                "run reaches an engine (run -> io -> engine); it may do so through the traits of dataplane only",
                "io reaches an engine (io -> engine); it may do so through the traits of dataplane only",
            ],
        )

    def test_an_engine_used_by_a_crate_that_may_only_reach_one(self):
        self.closed = "io"
        self.uses = {"cli": [], "run": ["drive"], "drive": ["engine"], "engine": ["dataplane"], "io": [], "dataplane": []}
        self.page = {name: list(uses) for name, uses in self.uses.items()}
        self.assertEqual(self.found(), [])
        self.both("run", "engine")
        (self.root / "crates" / "run" / "src" / "lib.rs").unlink()
        self.assertEqual(
            self.found(),
            ["run uses engine itself; it may do so through other crates and the traits of dataplane only"],
        )

    def test_a_page_that_lacks_an_arrow(self):
        self.page["cli"].remove("engine")
        self.assertEqual(
            self.found(), ["cli uses engine (its Cargo.toml), which docs/architecture.md does not allow"]
        )

    def test_a_page_that_is_out_of_date(self):
        self.page["cli"].append("io")
        self.page["gone"] = []
        self.assertEqual(
            self.found(),
            [
                "docs/architecture.md: there is no crate gone",
                "docs/architecture.md: cli may use io but its Cargo.toml does not: remove it from the line",
            ],
        )

    def test_a_crate_without_a_line(self):
        del self.page["cli"]
        self.assertEqual(self.found(), ["crate cli has no line in the block `layers` of docs/architecture.md"])

    def test_what_only_tests_use_is_listed_apart(self):
        self.tests["dataplane"] = ["io"]
        self.assertEqual(
            self.found(), ["dataplane uses io in its tests (its Cargo.toml), which docs/architecture.md does not allow"]
        )
        self.page_tests["dataplane"] = ["io"]
        self.assertEqual(self.found(), [])

    def test_a_dependency_that_no_file_names(self):
        self.found()
        (self.root / "crates/cli/src/lib.rs").write_text("use ww_run::x;\n")
        self.assertEqual(self.found(), ["cli depends on engine, but no source file names it"])

    def test_a_long_file_needs_a_reason(self):
        path = "crates/io/src/lib.rs"
        self.found()
        (self.root / path).write_text("use ww_dataplane::x;\n" + "//\n" * 700)
        reason = "more than 700, and no reason in the block `long files` of docs/architecture.md"
        self.assertEqual(self.found(), [f"{path} has 701 lines, {reason}"])
        self.long[path] = "a table"
        self.assertEqual(self.found(), [])
        (self.root / path).write_text("use ww_dataplane::x;\n" + "//\n" * 699)
        self.assertEqual(
            self.found(), [f"docs/architecture.md: {path} is not longer than 700 lines (any more): remove its line"]
        )


if __name__ == "__main__":
    unittest.main()
