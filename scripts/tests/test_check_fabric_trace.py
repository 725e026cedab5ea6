"""Traces of fabrics: what is counted, and what cannot be."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))

import check_fabric_trace

HEADER = "slot,from,to,src,dst,seq\n"


class Traces(unittest.TestCase):
    """Three hosts in plain order: host i meets i + 1 in even slots, i + 2 in odd ones."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.flows = Path(folder.name) / "flows.csv"
        self.trace = Path(folder.name) / "trace.csv"

    def write(self, flows, rows):
        lines = lambda rows: "".join(",".join(map(str, row)) + "\n" for row in rows)
        self.flows.write_text(lines(flows))
        self.trace.write_text(HEADER + lines(rows))

    def figures(self, flows, rows, **more):
        self.write(flows, rows)
        return check_fabric_trace.check(self.flows, self.trace, 3, 2, **more)

    def wrong(self, flows, rows, *words, **more):
        with self.assertRaises(check_fabric_trace.Wrong) as caught:
            self.figures(flows, rows, **more)
        for word in words:
            self.assertIn(word, str(caught.exception))

    # 0 -> 2 over 1, in slots 0 and 2.
    FLOW = [(0, 0, 2, 1, 0)]
    ROWS = [(0, 0, 1, 0, 2, 0), (2, 1, 2, 0, 2, 0)]

    def test_a_detour_is_one_last_hop(self):
        figures = self.figures(self.FLOW, self.ROWS, slots=4)
        self.assertEqual((figures["slots"], figures["cells"], figures["last_hops"]), (4, 2, 1))
        self.assertEqual((figures["remote_cells_max"], figures["bound_violations"]), (1, 0))
        # 3 hosts, 2 epochs, 3/2 cells each: capacity 9.
        self.assertAlmostEqual(figures["share"], 1 / 9)
        warm = self.figures(self.FLOW, self.ROWS, slots=4, warmup=3)
        self.assertEqual(warm["last_hops"], 0)

    def test_two_cells_of_a_source_in_a_queue_are_over_the_bound(self):
        # Both wait at 1 at the end of slots 2 and 3, and the local cell that is always counted is one more.
        flows = [(0, 0, 2, 2, 0)]
        rows = [(0, 0, 1, 0, 2, 0), (2, 0, 1, 0, 2, 1), (4, 1, 2, 0, 2, 0), (6, 1, 2, 0, 2, 1)]
        figures = self.figures(flows, rows)
        self.assertEqual((figures["remote_cells_max"], figures["bound_violations"]), (2, 2))

    def test_another_source_raises_the_bound_until_it_has_finished(self):
        # The flow 1 -> 2 is received in slot 2; both cells of 0 wait at the end of slots 2 and 3.
        flows = [(0, 0, 2, 2, 0), (1, 1, 2, 1, 2)]
        rows = [
            (0, 0, 1, 0, 2, 0),
            (2, 0, 1, 0, 2, 1),
            (2, 1, 2, 1, 2, 0),
            (4, 1, 2, 0, 2, 0),
            (6, 1, 2, 0, 2, 1),
        ]
        self.assertEqual(self.figures(flows, rows)["bound_violations"], 2)
        # Without its cell the flow is unfinished to the end.
        unsent = [row for row in rows if row[3] == 0]
        self.assertEqual(self.figures(flows, unsent)["bound_violations"], 0)

    def test_cells_that_have_not_arrived_cannot_leave(self):
        self.figures(self.FLOW, self.ROWS, delay=2)
        self.wrong(self.FLOW, self.ROWS, "line 3", "head of 1->2", delay=3)

    def test_what_no_fabric_does_is_found(self):
        row = self.ROWS[0]
        self.wrong(self.FLOW, [row, (1, 1, 0, 0, 2, 0)], "line 3", "second")
        self.wrong(self.FLOW, [row, (2, 0, 1, 0, 2, 1)], "line 3", "1 cells", "one more")
        self.wrong([(0, 0, 2, 9, 0)], [row, (2, 0, 1, 0, 2, 0)], "line 3", "seq", "again")
        self.wrong([(0, 0, 2, 9, 1)], [row], "line 2", "0 cells")
        self.wrong(self.FLOW, [row, (3, 1, 2, 0, 2, 0), (4, 1, 2, 0, 2, 0)], "line 4")
        self.wrong([(0, 0, 2, 9, 0)], [row, (1, 0, 1, 0, 2, 1)], "line 3", "slot 0 of an epoch, found 1")
        self.wrong([(0, 0, 2, 9, 0)], [row, (0, 0, 2, 0, 2, 1)], "line 3", "host 0")
        self.wrong(self.FLOW, [self.ROWS[1]], "line 2", "nothing at the head")
        self.wrong(self.FLOW, [(5, 0, 1, 0, 2, 0), (4, 0, 1, 0, 2, 0)], "line 3", "slot 5 or later")
        self.wrong(self.FLOW, [(0, 0, 3, 0, 2, 0)], "0 to 2")
        self.wrong(self.FLOW, [(0, 0, 1)], "line 2", "6 integers")
        self.wrong(self.FLOW, self.ROWS, "expected 2 slots", slots=2)
        self.trace.write_text("slot\n")
        with self.assertRaises(check_fabric_trace.Wrong):
            check_fabric_trace.check(self.flows, self.trace, 3, 2)

    def test_the_exit_status_says_what_holds(self):
        def run(*more):
            command = [sys.executable, SCRIPTS / "check_fabric_trace.py", self.flows, self.trace]
            command += ["--hosts", "3", "--epoch-slots", "2", *more]
            return subprocess.run(command, capture_output=True, text=True)

        self.write(self.FLOW, self.ROWS)
        self.assertEqual(run().returncode, 0)
        self.assertEqual(run("--share", "0.1").returncode, 0)
        low = run("--share", "0.98")
        self.assertEqual(low.returncode, 1)
        self.assertIn("expected a share of 0.98", low.stderr)
        self.assertEqual(run("--delay", "0").returncode, 2)
        self.trace.write_text("")
        empty = run()
        self.assertEqual((empty.returncode, empty.stdout), (1, ""))
        self.assertIn("line 1", empty.stderr)


if __name__ == "__main__":
    unittest.main()
