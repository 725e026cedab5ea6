#!/bin/sh
# Packets a second in ns-3 and in crates/sim, the same leaf-spine at the same load, one after the other:
# compare.sh [MILLISECONDS of virtual time in ns-3]. Ours runs ten times as long, so that it takes a while.
# Installs ns3 as build.sh says.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
: "${CARGO_TARGET_DIR:=$root/target}"
export CARGO_TARGET_DIR
milliseconds=${1:-10}
. "$here/build.sh"
build_ns3 leaf_spine
(cd "$root" && cargo build --quiet --release -p wirewright-sim --example hops)
"$CARGO_TARGET_DIR/bench/ns3_leaf_spine" "$milliseconds"
"$CARGO_TARGET_DIR/release/examples/hops" leaf-spine udp $((10 * milliseconds))
