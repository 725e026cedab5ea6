#!/bin/sh
# Packet hops a second of processor time in a leaf-spine, with every switch running l2l3 on jit and with ECMP switches: hops.sh WW [REPEATS].
# What a run of 20 ms takes, with compiling the program, is taken off one of 220 ms. The best of the repeats.
set -eu
ww=$(realpath "$1")
repeats=${2:-3}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for kind in l2l3 plain; do
    python3 "$here/leaf_spine.py" "$kind" >"$work/$kind.toml"
    python3 "$here/hops.py" "$ww" "$work/$kind.toml" "$kind" "$repeats"
done
