#!/bin/sh
# Packets a second in ns-3 and in crates/sim, the same leaf-spine at the same load, one after the other:
# compare.sh [MILLISECONDS of virtual time in ns-3]. Ours runs ten times as long, so that it takes a while.
#
# Installs the PyPI package ns3 in target/bench/ns3 (libraries and headers; some 200 MB).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
: "${CARGO_TARGET_DIR:=$root/target}"
export CARGO_TARGET_DIR
: "${NS3_ENV:=$CARGO_TARGET_DIR/bench/ns3}"
milliseconds=${1:-10}
if [ ! -x "$NS3_ENV/bin/python3" ]; then
    python3 -m venv "$NS3_ENV"
    "$NS3_ENV/bin/pip" install --quiet --disable-pip-version-check ns3==3.44.post0
fi
package=$(dirname "$(dirname "$(find "$NS3_ENV/" -path '*/lib64/libns3*-core.so')")")
set --
for module in core network internet point-to-point traffic-control; do
    set -- "$@" "$(echo "$package"/lib64/libns3*-"$module".so)"
done
# The libraries of the wheel name others that this program does not need.
c++ -std=c++20 -O2 -I "$package/include" "$here/leaf_spine.cc" "$@" \
    -Wl,--allow-shlib-undefined -Wl,-rpath,"$package/lib64" -o "$CARGO_TARGET_DIR/bench/ns3_leaf_spine"
(cd "$root" && cargo build --quiet --release -p wirewright-sim --example hops)
"$CARGO_TARGET_DIR/bench/ns3_leaf_spine" "$milliseconds"
"$CARGO_TARGET_DIR/release/examples/hops" leaf-spine udp $((10 * milliseconds))
