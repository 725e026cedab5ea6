"""Phases: what runs beside what, what a failure stops, and what is printed at the end."""

import contextlib
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import ci


def shell(name, script, **more):
    return ci.Phase(name, (("sh", "-c", script),), **more)


class Phases(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.trace = self.folder / "trace"
        self.trace.touch()

    def main(self, phases, *names, root=False):
        """Exit status and output of the script with these phases."""
        output = io.StringIO()
        groups = {"test": [phase.name for phase in phases]}
        with (
            mock.patch.multiple(ci, PHASES=phases, GROUPS=groups, LOGS=self.folder),
            mock.patch.object(sys, "argv", ["ci.py", *(names or ("test",))]),
            mock.patch.object(os, "geteuid", return_value=0 if root else 1000),
            contextlib.redirect_stdout(output),
        ):
            status = ci.main()
        return status, output.getvalue()

    def traced(self, name, seconds=0.2, **more):
        script = f"echo +{name} >> {self.trace}; sleep {seconds}; echo -{name} >> {self.trace}"
        return shell(name, script, **more)

    def test_two_phases_run_at_the_same_time(self):
        status, _ = self.main([self.traced("a"), self.traced("b"), self.traced("c")])
        self.assertEqual(status, 0)
        began = self.trace.read_text().split()
        self.assertEqual(set(began[:2]), {"+a", "+b"})
        self.assertNotEqual(began[2], "+c")

    def test_phases_that_hold_the_same_do_not(self):
        self.main([self.traced("a", holds="cargo"), self.traced("b", holds="cargo")])
        self.assertEqual(self.trace.read_text().split(), ["+a", "-a", "+b", "-b"])

    def test_a_phase_that_measures_time_runs_alone_and_last(self):
        self.main([self.traced("a", alone=True), self.traced("b"), self.traced("c")])
        self.assertEqual(self.trace.read_text().split()[-2:], ["+a", "-a"])

    def test_needs_run_first(self):
        phases = [self.traced("a"), self.traced("b"), self.traced("c", needs=("a",))]
        self.main(phases, "c")
        self.assertEqual(self.trace.read_text().split(), ["+a", "-a", "+c", "-c"])

    def test_a_failure_stops_only_what_needs_it_and_the_table_is_printed(self):
        phases = [
            shell("first", "echo the reason; false"),
            shell("second", "true", needs=("first",)),
            shell("third", "echo 'test result: ok. 7 passed; 0 failed'"),
            shell("fourth", "true", needs=("second",)),
        ]
        status, output = self.main(phases)
        self.assertEqual(status, 1)
        self.assertIn("the reason", output)
        self.assertRegex(output, r"first +\d+:\d\d +\d+:\d\d  FAILED \(1\)")
        self.assertRegex(output, r"second +- +-  not run")
        self.assertRegex(output, r"fourth +- +-  not run")
        self.assertRegex(output, r"third +\d+:\d\d +\d+:\d\d  passed")
        self.assertIn("7 tests passed in 1 binaries", output)
        self.assertIn("FAILED: first, second, fourth", output)

    def test_later_commands_of_a_phase_do_not_run_after_a_failure(self):
        phase = ci.Phase("a", (("false",), ("touch", str(self.folder / "later"))))
        self.assertEqual(self.main([phase])[0], 1)
        self.assertFalse((self.folder / "later").exists())

    def test_skipped_tests_are_listed_and_fail_as_root_if_they_need_namespaces(self):
        phases = [
            shell("a", 'echo "ping: needs network namespaces: no permission" >> "$WW_SKIPPED"'),
            shell("b", "echo 'SKIPPED: DPDK ports; they need libdpdk-dev'"),
        ]
        status, output = self.main(phases)
        self.assertEqual(status, 0)
        self.assertIn("2 tests were skipped:\n  DPDK ports; they need libdpdk-dev\n  ping: needs", output)
        status, output = self.main(phases, root=True)
        self.assertEqual(status, 1)
        self.assertIn("as root no test that needs namespaces may be skipped", output)
        status, _ = self.main(phases[1:], root=True)
        self.assertEqual(status, 0)


class Lists(unittest.TestCase):
    def test_every_name_is_known_and_each_phase_is_in_a_group(self):
        names = [phase.name for phase in ci.PHASES]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual({name for phase in ci.PHASES for name in phase.needs} - set(names), set())
        self.assertEqual({name for members in ci.GROUPS.values() for name in members}, set(names))
        self.assertEqual(set(ci.GROUPS["test-all"]), set(names))

    def test_what_is_tested_on_each_change_is_what_the_build_has_built(self):
        """With `-p`, dependencies have other features than in the workspace, and are built again."""
        phases = [phase for phase in ci.PHASES if phase.name in ci.GROUPS["test"]]
        commands = [command for phase in phases for command in phase.commands if command[0] == ci.CARGO]
        selecting = [command for command in commands if command[1] in ("build", "test", "clippy")]
        self.assertGreaterEqual(len(selecting), 7)
        for command in selecting:
            self.assertIn("--workspace", command)

    def test_all_kinds_of_test_targets_have_a_phase(self):
        commands = [command for phase in ci.PHASES if phase.name in ci.GROUPS["test"] for command in phase.commands]
        tests = [command for command in commands if command[:3] == [ci.CARGO, "test", "--workspace"]]
        named = {command[at + 1] for command in tests for at, word in enumerate(command) if word == "--test"}
        root = Path(__file__).resolve().parent.parent.parent
        binaries = {path.parent.name for path in root.glob("crates/*/tests/*/main.rs")}
        binaries |= {path.stem for path in root.glob("crates/*/tests/*.rs")}
        self.assertEqual(named, binaries)
        for kind in ("--lib", "--bins", "--doc"):
            self.assertTrue(any(kind in command for command in tests), kind)


if __name__ == "__main__":
    unittest.main()
