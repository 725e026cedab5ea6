#!/bin/sh
# Runs all benchmarks and writes bench/results/*.json: run.sh [PART ...]
#
# Parts: machine l2l3 million ipv6 exact programs micro workers veth bound fabric tcp; all if none is named.
# Environment:
#   WW        the command (target/release/ww)
#   ENGINES   engines to measure ("interp jit")
#   SECONDS_EACH   time for each measurement (3)
#   ROUNDS    rounds of each (5)
#   WORK      where workloads and peers are built (target/bench)
#   CORE      the core to measure on (the last one)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
: "${CARGO_TARGET_DIR:=$root/target}"
export CARGO_TARGET_DIR
: "${WW:=$CARGO_TARGET_DIR/release/ww}"
: "${ENGINES:=interp jit}"
: "${SECONDS_EACH:=3}"
: "${ROUNDS:=5}"
: "${WORK:=$CARGO_TARGET_DIR/bench}"
: "${CORE:=$(($(nproc) - 1))}"
results=$here/results
mkdir -p "$results" "$WORK"
l2l3=$root/p4/programs/l2l3/l2l3.p4

say() { echo "bench: $*" >&2; }

# The scheduler of some machines shares time among sessions, whatever their priority; see autogroup
# in sched(7). A session of our own with the highest weight gets a whole core, if we may.
quiet() {
    setsid -w sh -c 'echo -20 >/proc/self/autogroup 2>/dev/null || :; exec "$@"' quiet taskset -c "$CORE" "$@"
}

# Two at a time need two cores.
quiet_all() {
    setsid -w sh -c 'echo -20 >/proc/self/autogroup 2>/dev/null || :; exec "$@"' quiet "$@"
}

workload() { # name arguments...
    name=$1
    shift
    [ -f "$WORK/$name/workload.json" ] && return
    say "workload $name"
    python3 "$here/workload.py" --out "$WORK/$name" "$@"
}

captures() { # folder
    for file in "$1"/in.*.pcap; do
        number=${file##*/in.}
        printf -- '--pcap %s=%s ' "${number%.pcap}" "$file"
    done
}

defines() { # folder
    python3 -c 'import json, sys; print(*("-D" + d for d in json.load(open(sys.argv[1]))["defines"]))' "$1/workload.json"
}

# Appends a result to a file of results: one JSON object a line.
record() { # file
    python3 -c 'import json, sys
result = json.loads(sys.stdin.read())
print("  {engine:>10} {mpps:9.3f} Mpps".format(**result), file=sys.stderr)
print(json.dumps(result))' >>"$1.new"
}

begin() { rm -f "$1.new"; }
finish() { mv "$1.new" "$1"; }

# shellcheck disable=SC2046 # lists of options
contenders() { # result-file workload program yes|no (yardstick and loops)
    out=$results/$1.json
    dir=$WORK/$2
    begin "$out"
    say "$1"
    for engine in $ENGINES; do
        verify=--verify
        [ "$engine" = interp ] && verify=""
        # The reference needs a second for each 50,000 packets.
        time=$SECONDS_EACH
        # shellcheck disable=SC2086
        quiet "$WW" bench "$3" $(defines "$dir") --entries "$dir/entries.txt" $(captures "$dir") \
            --engine "$engine" --seconds "$time" --rounds "$ROUNDS" $verify --json | record "$out"
    done
    if [ "$4" = yes ]; then
        quiet "$WORK/yardstick/release/yardstick" --entries "$dir/entries.txt" $(captures "$dir") \
            --seconds "$SECONDS_EACH" --rounds "$ROUNDS" | record "$out"
    fi
}

eal() { # program arguments...
    program=$1
    shift
    pages=--no-huge
    [ "$(cat /proc/sys/vm/nr_hugepages)" -ge 256 ] && pages=""
    # shellcheck disable=SC2086
    quiet "$WORK/dpdk/$program" -l "$CORE" --in-memory $pages -m 512 --no-pci --no-telemetry \
        --log-level=lib.eal:error -- "$@"
}

peers=no
build_peers() {
    [ $peers = yes ] && return
    say "building yardstick and peers"
    RUSTFLAGS="-C target-cpu=x86-64-v3" CARGO_TARGET_DIR=$WORK/yardstick \
        cargo build -q --release --manifest-path "$here/yardstick/Cargo.toml"
    if ! pkg-config --exists libdpdk; then
        say "installing DPDK"
        apt-get install -y -qq --no-install-recommends libdpdk-dev dpdk pkg-config >/dev/null
    fi
    make -s -C "$here/dpdk" OUT="$WORK/dpdk"
    if [ "$(cat /proc/sys/vm/nr_hugepages)" -lt 512 ]; then
        echo 512 >/proc/sys/vm/nr_hugepages || say "no huge pages: DPDK runs without"
    fi
    peers=yes
}

swx() { # result-file workload engine-name
    [ -d "$WORK/dpdk/dpdk-source" ] || sh "$here/dpdk/fetch_source.sh" "$WORK/dpdk/dpdk-source"
    python3 "$here/dpdk/swx_files.py" "$WORK/$2" --out "$WORK/swx-$2"
    rm -f "$WORK/dpdk/$2.so"
    make -s -C "$here/dpdk" OUT="$WORK/dpdk" SPEC="$WORK/swx-$2" "$WORK/dpdk/$2.so"
    eal swx "$WORK/$2" "$WORK/swx-$2" "$WORK/dpdk/$2.so" "$SECONDS_EACH" "$ROUNDS" |
        sed "s/\"dpdk-swx\"/\"$3\"/" | record "$results/$1.json"
}

part_machine() {
    python3 "$here/machine.py" "$CORE" >"$results/machine.json"
}

part_l2l3() {
    build_peers
    workload v4-10k
    contenders l2l3 v4-10k "$l2l3" yes
    eal loop "$WORK/v4-10k" lpm "$SECONDS_EACH" "$ROUNDS" | record "$results/l2l3.json"
    eal loop "$WORK/v4-10k" fib "$SECONDS_EACH" "$ROUNDS" | record "$results/l2l3.json"
    swx l2l3 v4-10k dpdk-swx-wildcard
    finish "$results/l2l3.json"
}

part_million() {
    build_peers
    workload v4-1m --routes 1000000
    contenders million v4-1m "$l2l3" yes
    eal loop "$WORK/v4-1m" fib "$SECONDS_EACH" "$ROUNDS" | record "$results/million.json"
    finish "$results/million.json"
}

part_ipv6() {
    workload v6-10k --family 6
    contenders ipv6 v6-10k "$l2l3" no
    finish "$results/ipv6.json"
}

part_exact() {
    build_peers
    workload exact-10k --exact
    contenders exact exact-10k "$WORK/exact-10k/l2l3_exact.p4" no
    swx exact exact-10k dpdk-swx
    finish "$results/exact.json"
}

# Rounds of a program on an engine, with the entries and captures beside it, as JSON: rounds PROGRAM ENGINE. The reference
# engine is what others are verified against.
rounds() {
    verify=--verify
    [ "$2" = interp ] && verify=""
    # shellcheck disable=SC2046,SC2086
    quiet "$WW" bench "$1" --entries "${1%/*}/entries.txt" $(captures "${1%/*}") \
        --engine "$2" --seconds "$SECONDS_EACH" --rounds "$ROUNDS" $verify --json
}

part_programs() {
    out=$results/programs.json
    begin "$out"
    for program in l2l3 paxos mdp udp_count; do
        dir=$root/p4/programs/$program
        for engine in $ENGINES; do
            say "$program with its own captures, $engine"
            rounds "$dir/$program.p4" "$engine" |
                python3 -c 'import json, sys; print(json.dumps({"program": sys.argv[1], **json.load(sys.stdin)}))' "$program" |
                record "$out"
        done
    done
    finish "$out"
}

part_micro() {
    out=$results/micro.json
    begin "$out"
    for point in "empty 0" "headers 1" "headers 2" "headers 4" "headers 8" "headers 16" "tables 1" "tables 2" \
        "tables 4" "tables 8" "tables 16" "tables 32" "fields 8" "fields 16" "fields 32" "fields 64"; do
        kind=${point% *}
        count=${point#* }
        dir=$WORK/micro-$kind-$count
        python3 "$root/scripts/micro.py" "$kind" "$count" --out "$dir" --packets 4096
        for engine in $ENGINES; do
            say "micro $kind $count, $engine"
            rounds "$dir/micro.p4" "$engine" |
                python3 -c 'import json, sys
print(json.dumps({"kind": sys.argv[1], "count": int(sys.argv[2]), **json.load(sys.stdin)}))' "$kind" "$count" |
                record "$out"
        done
    done
    finish "$out"
}

part_workers() {
    case " $ENGINES " in *" jit "*) ;; *) return ;; esac
    workload v4-10k
    out=$results/workers.json
    begin "$out"
    say "workers"
    # shellcheck disable=SC2046
    quiet_all "$WW" bench "$l2l3" $(defines "$WORK/v4-10k") --entries "$WORK/v4-10k/entries.txt" \
        $(captures "$WORK/v4-10k") --engine jit --workers 2 --seconds "$SECONDS_EACH" \
        --rounds "$ROUNDS" --json | record "$out"
    finish "$out"
}

part_veth() {
    mkdir -p "$WORK/veth"
    ${CC:-cc} -O2 -Wall -Wextra -o "$WORK/veth/veth" "$here/veth.c"
    out=$results/veth.json
    begin "$out"
    WW=$WW ENGINES=$ENGINES ROUNDS=$ROUNDS sh "$here/veth.sh" "$WORK/veth" >"$WORK/veth/lines"
    while read -r line; do echo "$line" | record "$out"; done <"$WORK/veth/lines"
    finish "$out"
}

# shellcheck disable=SC2046 # lists of options
part_bound() {
    build_peers
    rm -f "$results/bound.json"
    for part in l2l3:v4-10k million:v4-1m; do
        dir=$WORK/${part#*:}
        [ "$part" = l2l3:v4-10k ] && workload v4-10k || workload v4-1m --routes 1000000
        say "bound, $part"
        python3 "$here/bound.py" "$results" -- yardstick "${part%%:*}" 65536 \
            "$WORK/yardstick/release/yardstick" --entries "$dir/entries.txt" $(captures "$dir") \
            --passes '{passes}' --rounds 1
        # Loading a million routes with all that `ww` checks takes too long in a simulation.
        [ "$part" = l2l3:v4-10k ] || continue
        case " $ENGINES " in *" jit "*) ;; *) continue ;; esac
        python3 "$here/bound.py" "$results" -- jit "${part%%:*}" 65536 \
            "$WW" bench "$l2l3" $(defines "$dir") --entries "$dir/entries.txt" $(captures "$dir") \
            --engine jit --packets '{packets}' --rounds 1 --sample 0
    done
}

part_fabric() {
    say "fabric"
    cargo build -q --release --manifest-path "$root/Cargo.toml" -p wirewright-fabric --example cell_events
    quiet python3 "$here/fabric.py" "$WW" "$CARGO_TARGET_DIR/release/examples/cell_events" "$WORK/fabric" "$ROUNDS" \
        >"$results/fabric.json.new"
    finish "$results/fabric.json"
}

part_tcp() {
    say "tcp"
    quiet python3 "$here/tcp.py" "$WW" "$ROUNDS" >"$results/tcp.json.new"
    finish "$results/tcp.json"
}

[ -x "$WW" ] || {
    say "$WW is not there; cargo build --release -p wirewright-cli"
    exit 1
}
[ $# -gt 0 ] || set -- machine l2l3 million ipv6 exact programs micro workers veth bound fabric tcp
for part; do
    "part_$part"
done
[ -x "$WORK/venv/bin/python3" ] || {
    say "installing matplotlib"
    python3 -m venv "$WORK/venv"
    "$WORK/venv/bin/pip" install -q -r "$here/requirements.txt"
}
"$WORK/venv/bin/python3" "$here/plot.py" "$results" "$root/docs/images"
python3 "$here/tables.py" "$results" "$root/docs/performance.md" "$root/docs/tcp.md" "$root/README.md"
