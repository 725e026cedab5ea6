#!/bin/sh
# A first look: an L2/L3 router in P4 forwards captures, one packet is followed through it, in
# software and in hardware, and all three engines are measured.
# demo.sh PATH-OF-WW
set -eu
ww=${1:-target/debug/ww}
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

say "3. The same packet in hardware: SystemVerilog made of the program, clock by clock under Verilator"
echo "   ww trace $program/l2l3.p4 ... --packet 15 --engine rtl"
"$ww" trace "$program/l2l3.p4" --entries "$program/entries.txt" \
    --port "0=$program/in.0.pcap" --packet 15 --engine rtl > "$out/trace.rtl.txt"
grep -E "SENT|rtl:" "$out/trace.rtl.txt"
"$ww" report "$program/l2l3.p4" --entries "$program/entries.txt" --pcap "0=$program/in.0.pcap" --sizes 64 \
    > "$out/report.txt"
sed -n '/ clocks from the head/,/^$/p' "$out/report.txt"
echo "   The whole report is in $out/report.txt."

say "4. Run it on the captures of five ports"
set --
for port in 0 1 2 3 4; do
    set -- "$@" --port "$port=$program/in.$port.pcap:$out/out.$port.pcap"
done
echo "   ww run $program/l2l3.p4 --entries $program/entries.txt --port 0=in.0.pcap:out.0.pcap ..."
"$ww" run "$program/l2l3.p4" --entries "$program/entries.txt" "$@"

say "5. Compare with what a model written in Python expects"
for port in 0 1 2 3 4; do
    python3 scripts/compare_pcaps.py "$out/out.$port.pcap" "$program/expected.$port.pcap"
done

say "6. Measure the engines with 2,000 routes and 4,096 flows: software on one core, hardware in clocks"
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
# Clocks do not depend on how long the simulation takes; one pass is enough.
"$ww" bench "$program/l2l3.p4" --entries "$out/workload/entries.txt" "$@" --engine rtl \
    --packets 4096 --batch 4096 --rounds 1 --sample 0 --json > "$out/bench.rtl.json"
python3 - "$out/bench.interp.json" "$out/bench.jit.json" "$out/bench.rtl.json" <<'SUMMARY'
import json
import sys

results = [json.load(open(path)) for path in sys.argv[1:]]
reference, native, hardware = results
for result in (reference, native):
    print("{engine:>6}: {mpps:8.3f} million packets a second, {ns_per_packet:9.1f} ns each, measured here".format(**result))
clocks = hardware["clocks_per_packet"]
print(
    f"   rtl: {250 / clocks:8.3f} million packets a second at 250 MHz: {clocks:.3f} clocks each, back to back, with a bus"
    " of 512 bits. Counted in simulation, not a time: clocks that a device at 250 MHz would take."
)
if not reference["output"] == native["output"] == hardware["output"]:
    sys.exit("The engines send different frames.")
print(f"Speedup of jit over interp: {native['mpps'] / reference['mpps']:.0f}. All three engines send the same frames.")
print(f"To compile the program to native code took {native['compile_ms']:.0f} ms.")
SUMMARY

say "Next"
echo "   The same on live interfaces: ww run ... --port 0=eth0 --port 1=eth1 (docs/tutorial.md)."
echo "   Throughput in detail: make bench, docs/performance.md. It measures a release build, in which interp is faster;"
echo "   the demo uses the build of the tests."
echo "   Outputs are in $out; open them with any packet analyser."
