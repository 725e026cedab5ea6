#!/bin/sh
# Builds the Python package into the environment of scripts/setup.sh and runs its tests: test_python.sh [--build-only]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
python=${WW_PYTHON:-target/venv/bin/python3}
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}"
wheels=$CARGO_TARGET_DIR/wheels
rm -rf "$wheels"
# In the profile of the tests, so that what they have built is not built again.
"$python" -m maturin build --quiet --profile dev -m crates/python/Cargo.toml -o "$wheels"
"$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheels"/*.whl
[ "${1:-}" = --build-only ] && exit 0
WW=${WW:-$CARGO_TARGET_DIR/debug/ww} WW_PYTHON=$python "$python" -m pytest -q crates/python/tests
