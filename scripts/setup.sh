#!/bin/sh
# Installs what building and testing need beyond a Rust toolchain, on Debian and its kin.
# Does nothing where everything is there already.
set -eu

missing=""
need() { # command package
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need cc build-essential
need c++ build-essential
need make make
need python3 python3
# The tests of the RTL are Python programs: a virtual environment below, with a libpython that a
# simulator loads.
python3 -c 'import ensurepip' >/dev/null 2>&1 || missing="$missing python3-venv"
need python3-config python3-dev
# Verilator's waveforms in FST are packed with these.
for header in lz4:liblz4-dev zlib:zlib1g-dev; do
    echo "#include <${header%%:*}.h>" | ${CC:-cc} -E -x c - >/dev/null 2>&1 ||
        missing="$missing ${header#*:}"
done
need perl perl
need ip iproute2
need ping iputils-ping
# A peer of `ww tcp host`.
need iperf iperf
# A PTP master beside our slave; its folder is not in every path.
[ -x /usr/sbin/ptp4l ] || need ptp4l linuxptp

if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "setup: please install:$missing" >&2
        exit 1
    fi
    sudo=""
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || {
            echo "setup: as root, please run: apt-get install$missing" >&2
            exit 1
        }
        sudo="sudo"
    fi
    # shellcheck disable=SC2086 # a list of packages
    $sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends $missing
fi

if ! command -v cargo >/dev/null 2>&1; then
    echo "setup: cargo is not on the PATH; install Rust 1.95 or later from https://rustup.rs" >&2
    exit 1
fi

# The Python packages, anew when their list changed.
root=$(cd "$(dirname "$0")/.." && pwd)
venv=$root/target/venv
if ! cmp -s "$root/requirements.txt" "$venv/installed.txt"; then
    echo "setup: installing Python packages in target/venv"
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$root/requirements.txt"
    cp "$root/requirements.txt" "$venv/installed.txt"
fi
