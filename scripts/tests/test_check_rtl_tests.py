"""A block whose FuseSoC description is missing, or lists other files than it has, is reported by name."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import check_rtl_tests

CORE = """CAPI=2:
name: wirewright:rtl:gate:0.1.0
filesets:
  rtl:
    files:
      - ww_gate.sv
      - ww_latch.sv
    depend:
      - wirewright:rtl:ram:0.1.0
"""


class Core(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.block = Path(folder.name) / "rtl" / "gate"
        self.block.mkdir(parents=True)
        for name in ("ww_gate.sv", "ww_latch.sv"):
            (self.block / name).write_text("module x; endmodule")

    def faults(self, core=None):
        if core is not None:
            (self.block / "gate.core").write_text(core)
        return check_rtl_tests.core_faults(self.block)

    def test_a_complete_description(self):
        self.assertEqual(self.faults(CORE), [])

    def test_none(self):
        self.assertEqual(len(self.faults()), 1)
        self.assertIn("rtl/gate/gate.core: missing", self.faults()[0])

    def test_a_module_that_is_not_listed(self):
        self.assertEqual(self.faults(CORE.replace("      - ww_latch.sv\n", "")), ["rtl/gate/gate.core: does not list ww_latch.sv"])

    def test_a_file_that_is_not_there(self):
        faults = self.faults(CORE.replace("ww_gate.sv", "ww_gat.sv"))
        self.assertEqual(
            faults, ["rtl/gate/gate.core: does not list ww_gate.sv", "rtl/gate/gate.core: lists ww_gat.sv, which is not there"]
        )


if __name__ == "__main__":
    unittest.main()
