#!/bin/sh
# TCP in ns-3 and in crates/sim on the same dumbbell, side by side: dumbbell.sh WW [SEEDS]. NewReno and CUBIC; the lab is
# labs/dumbbell, what ns-3 has is in dumbbell.cc. Some minutes for each seed in ns-3. Installs ns3 as compare.sh does.
set -eu
ww=$(realpath "$1")
seeds=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
: "${CARGO_TARGET_DIR:=$root/target}"
. "$here/build.sh"
build_ns3 dumbbell applications
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for kind in newreno cubic; do
    seed=1
    while [ "$seed" -le "$seeds" ]; do
        "$CARGO_TARGET_DIR/bench/ns3_dumbbell" "$kind" 60 10 "$seed" >>"$work/$kind"
        seed=$((seed + 1))
    done
done
# Exit status 1 only says that a figure is out of its tolerance.
"$ww" lab run "$root/labs/dumbbell" --out "$work/ours" >/dev/null || [ -e "$work/ours/results.json" ]
python3 "$here/dumbbell.py" "$work/newreno" "$work/cubic" "$work/ours/results.json"
