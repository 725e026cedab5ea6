#!/bin/sh
# Tests the Python package with the library that `cargo build` has made: test_python.sh
# Builds a wheel, installs it in the environment of scripts/setup.sh and tests that: test_python.sh --wheel
# Only builds and installs: test_python.sh --install
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
export WW_PYTHON="${WW_PYTHON:-$root/target/venv/bin/python3}"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}"
if [ $# -gt 0 ]; then
    wheels=$CARGO_TARGET_DIR/wheels
    rm -rf "$wheels"
    # In the profile of the tests, so that most of what they have built is not built again.
    "$WW_PYTHON" -m maturin build --quiet --profile dev -m crates/python/Cargo.toml -o "$wheels"
    "$WW_PYTHON" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheels"/*.whl
    [ "$1" = --install ] && exit 0
else
    package=$CARGO_TARGET_DIR/python/wirewright
    mkdir -p "$package"
    cp crates/python/wirewright/*.py "$package"
    cp "$CARGO_TARGET_DIR/debug/lib_native.so" "$package/_native.abi3.so"
    export PYTHONPATH="$CARGO_TARGET_DIR/python"
fi
WW=${WW:-$CARGO_TARGET_DIR/debug/ww} "$WW_PYTHON" -m pytest -q crates/python/tests
