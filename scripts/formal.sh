#!/bin/sh
# Proves the properties in rtl/*/formal/*.sby with SymbiYosys, Yosys and z3. Arguments: .sby files;
# without any, all of them; --quick: those that end within a minute.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
exec "${WW_PYTHON:-target/venv/bin/python3}" scripts/formal.py "$@"
