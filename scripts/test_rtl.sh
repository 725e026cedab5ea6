#!/bin/sh
# Runs the tests of the RTL blocks on Verilator. Arguments are pytest's: scripts/test_rtl.sh -k fifo
# Without a folder among them, the tests of all blocks run.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
python=${WW_PYTHON:-target/venv/bin/python3}
exec "$python" -m pytest -q -n 2 --dist worksteal --rootdir rtl -c rtl/pytest.ini "$@"
