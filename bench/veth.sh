#!/bin/sh
# How fast frames cross a forwarder between two veth pairs: veth.sh DIR, where DIR/veth is veth.c.
#
# Two network namespaces for the ends, one for the forwarder. A sender pinned to the first core sends
# 64-byte frames (with FCS) as fast as it can; the forwarder has the last core. Contenders take turns
# for ROUNDS rounds; one line of JSON for each, with the median. "forward" is the bare AF_PACKET
# forwarder, the others `ww run`: with an empty program, and with l2l3 that routes all frames of
# a workload (those of WORKLOAD that are sent to the router; the others are omitted). Where BMv2's
# `simple_switch`, `simple_switch_CLI` and P4's reference compiler are on the path, BMv2 runs the same programs.
# Environment: WW, ENGINES, ROUNDS, DURATION (2 s each).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
dir=$1
: "${WW:=$root/target/release/ww}"
: "${ENGINES=interp jit}"
: "${ROUNDS:=5}"
: "${DURATION:=2}"
last=$(($(nproc) - 1))
a=wwa$$ f=wwf$$ b=wwb$$

cleanup() {
    [ -z "${child:-}" ] || kill "$child" 2>/dev/null || :
    for name in $a $f $b; do ip netns del $name 2>/dev/null || :; done
}
trap cleanup EXIT
trap 'exit 1' INT TERM

# Frames, entries and programs.
python3 "$root/scripts/micro.py" empty --out "$dir/empty" --packets 1
python3 "$here/workload.py" --out "$dir/workload" --flows 16384
python3 - "$root" "$dir" <<'PY'
import sys
from pathlib import Path

root, folder = Path(sys.argv[1]), Path(sys.argv[2])
sys.path.insert(0, str(root / "scripts"))
import pcap_file

router = bytes.fromhex("0200000000fe")
frames = [f for _, f in pcap_file.read(folder / "workload/in.0.pcap") if f[:6] == router]
pcap_file.write(folder / "frames.pcap", enumerate(frames))
with open(folder / "workload/entries.txt", encoding="utf-8") as old, open(folder / "entries.txt", "w", encoding="utf-8") as new:
    for line in old:
        words = line.split()
        if words[:2] == ["table_add", "ingress.nexthop"]:
            words[5:7] = ["1", "11"]  # port 1 and its VLAN
            line = " ".join(words) + "\n"
        new.write(line)
PY

for name in $a $f $b; do
    ip netns add $name
    ip netns exec $name sysctl -qw net.ipv6.conf.default.disable_ipv6=1 net.ipv6.conf.all.disable_ipv6=1 2>/dev/null || :
done
ip link add f0 netns $f type veth peer name a0 netns $a
ip link add f1 netns $f type veth peer name b0 netns $b
for end in "$a a0" "$f f0" "$f f1" "$b b0"; do
    # shellcheck disable=SC2086 # namespace and device
    set -- $end
    ip -n "$1" link set "$2" up
done

received() { ip netns exec $b cat /sys/class/net/b0/statistics/rx_packets; }
# Ticks of 1/100 s that a process has used, its own and the kernel's for it.
ticks() { sed 's/.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'; }

measure() { # name, command in the forwarder's namespace...
    name=$1
    shift
    # shellcheck disable=SC2016
    ip netns exec $f setsid sh -c 'echo -20 >/proc/self/autogroup 2>/dev/null || :; exec "$@"' x \
        taskset -c $last "$@" >/dev/null 2>"$dir/errors" &
    child=$!
    sleep "${SETTLE:-1}"
    kill -0 $child 2>/dev/null || { cat "$dir/errors" >&2; exit 1; }
    before=$(received) used=$(ticks $child)
    # shellcheck disable=SC2016
    sent=$(ip netns exec $a setsid -w sh -c 'echo -20 >/proc/self/autogroup 2>/dev/null || :; exec "$@"' x \
        taskset -c 0 "$dir/veth" send a0 "$dir/frames.pcap" "$DURATION")
    sleep 0.3
    after=$(received) used=$(($(ticks $child) - used))
    kill $child
    wait $child 2>/dev/null || :
    child=
    echo "$name $sent $((after - before)) $used" >>"$dir/raw"
}

# BMv2's programs are what the reference compiler makes of ours; its control plane listens once it runs.
bmv2=no
if command -v simple_switch >/dev/null && command -v simple_switch_CLI >/dev/null && command -v p4c-bm2-ss >/dev/null; then
    bmv2=yes
    p4c-bm2-ss -o "$dir/empty.json" "$dir/empty/micro.p4"
    p4c-bm2-ss -DIPV4_ROUTES=16384 -o "$dir/l2l3.json" "$root/p4/programs/l2l3/l2l3.p4"
    cat >"$dir/simple_switch.sh" <<'SWITCH'
#!/bin/sh
# simple_switch.sh PROGRAM.json [ENTRIES]: BMv2 between f0 and f1.
if [ -n "${2:-}" ]; then
    (sleep 0.5 && simple_switch_CLI <"$2") >/dev/null &
fi
exec simple_switch --log-level off -i 0@f0 -i 1@f1 "$1"
SWITCH
else
    echo "bench: BMv2 skipped: simple_switch, simple_switch_CLI or p4c-bm2-ss is not on the path" >&2
fi

: >"$dir/raw"
round=0
while [ $round -lt "$ROUNDS" ]; do
    measure forward "$dir/veth" forward f0 f1
    for engine in $ENGINES; do
        measure "empty-$engine" "$WW" run "$dir/empty/micro.p4" --engine "$engine" --port 0=f0 --port 1=f1
        measure "l2l3-$engine" "$WW" run "$root/p4/programs/l2l3/l2l3.p4" -DIPV4_ROUTES=16384 --engine "$engine" \
            --entries "$dir/entries.txt" --port 0=f0 --port 1=f1
    done
    if [ $bmv2 = yes ]; then
        SETTLE=5 measure empty-bmv2 sh "$dir/simple_switch.sh" "$dir/empty.json"
        SETTLE=30 measure l2l3-bmv2 sh "$dir/simple_switch.sh" "$dir/l2l3.json" "$dir/entries.txt"
    fi
    round=$((round + 1))
done
python3 - "$dir/raw" "$DURATION" <<'PY'
import json
import statistics
import sys

rounds = {}
with open(sys.argv[1], encoding="utf-8") as lines:
    for line in lines:
        name, sent, received, ticks = line.split()
        rounds.setdefault(name, []).append((int(sent), int(received), int(ticks)))
for name, results in rounds.items():
    seconds = float(sys.argv[2])
    rates = sorted(received / seconds / 1e6 for _, received, _ in results)
    cpu = statistics.median(ticks * 1e4 / max(received, 1) for _, received, ticks in results)
    offered = statistics.median(sent for sent, _, _ in results) / seconds / 1e6
    result = {"engine": name, "mpps": statistics.median(rates), "rounds_mpps": rates, "offered_mpps": offered, "cpu_us_per_packet": cpu}
    print(json.dumps(result))
PY
