#!/bin/sh
# Reads every RTL module with Verilator (all warnings on, each one an error) and with the slang front
# end of Yosys. Arguments: folders of blocks; without any, all of them.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
exec "${WW_PYTHON:-target/venv/bin/python3}" scripts/lint_rtl.py "$@"
