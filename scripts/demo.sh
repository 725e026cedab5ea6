#!/bin/sh
# A first look: an L2/L3 router in P4 forwards captures, one packet's way through it is shown, and
# both engines are measured.
# demo.sh PATH-OF-WW
set -eu
ww=${1:-target/release/ww}
program=p4/programs/l2l3
out=target/demo
mkdir -p "$out"
rm -f "$out"/out.*.pcap

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
if [ ! -t 1 ]; then say() { printf '\n%s\n' "$*"; }; fi

say "1. Check the program"
echo "   ww check $program/l2l3.p4"
"$ww" check "$program/l2l3.p4"
echo "   accepted: $(wc -l < "$program/l2l3.p4") lines of P4"

say "2. Follow one packet: a routed UDP datagram (from VLAN 10 to VLAN 20)"
echo "   ww trace $program/l2l3.p4 --entries $program/entries.txt --port 0=$program/in.0.pcap --packet 15"
"$ww" trace "$program/l2l3.p4" --entries "$program/entries.txt" \
    --port "0=$program/in.0.pcap" --packet 15

say "3. Run it on the captures of five ports"
set --
for port in 0 1 2 3 4; do
    set -- "$@" --port "$port=$program/in.$port.pcap:$out/out.$port.pcap"
done
echo "   ww run $program/l2l3.p4 --entries $program/entries.txt --port 0=in.0.pcap:out.0.pcap ..."
"$ww" run "$program/l2l3.p4" --entries "$program/entries.txt" "$@"

say "4. Compare with what a model written in Python expects"
for port in 0 1 2 3 4; do
    python3 scripts/compare_pcaps.py "$out/out.$port.pcap" "$program/expected.$port.pcap"
done

say "5. Measure both engines, on one core, with 2,000 routes and 4,096 flows"
python3 bench/workload.py --out "$out/workload" --routes 2000 --flows 4096
set --
for file in "$out"/workload/in.*.pcap; do
    port=${file##*/in.}
    set -- "$@" --pcap "${port%.pcap}=$file"
done
echo "   ww bench $program/l2l3.p4 --entries entries.txt --pcap 0=in.0.pcap ... --engine E"
for engine in interp jit; do
    "$ww" bench "$program/l2l3.p4" --entries "$out/workload/entries.txt" "$@" --engine "$engine" \
        --seconds 1 --rounds 3 --sample 0 --json > "$out/bench.$engine.json"
done
python3 - "$out/bench.interp.json" "$out/bench.jit.json" <<'SUMMARY'
import json
import sys

results = [json.load(open(path)) for path in sys.argv[1:]]
for result in results:
    print("{engine:>6}: {mpps:8.3f} million packets a second, {ns_per_packet:9.1f} ns each".format(**result))
reference, native = results
if reference["output"] != native["output"]:
    sys.exit("The engines send different frames.")
print(f"jit is {native['mpps'] / reference['mpps']:.0f} times as fast, and sends the same frames.")
print(f"To compile the program to native code took {native['compile_ms']:.0f} ms.")
SUMMARY

say "Next"
echo "   The same on live interfaces: ww run ... --port 0=eth0 --port 1=eth1 (docs/tutorial.md)."
echo "   Throughput in detail: make bench, docs/performance.md."
echo "   Outputs are in $out; open them with any packet analyser."
