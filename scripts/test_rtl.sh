#!/bin/sh
# Runs the tests of the RTL blocks on Verilator. Arguments are pytest's: scripts/test_rtl.sh -k fifo
# Without a folder or file among them, the tests of all blocks run. --quick: those that CI runs
# (rtl/conftest.py).
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
python=${WW_PYTHON:-target/venv/bin/python3}
where=rtl
for argument in "$@"; do
    case $argument in
        -*) ;;
        *) if [ -e "${argument%%::*}" ]; then where=; fi ;;
    esac
done
exec "$python" -m pytest -q -n 2 --dist worksteal --rootdir rtl -c rtl/pytest.ini "$@" $where
