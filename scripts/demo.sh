#!/bin/sh
# A first look: an L2/L3 router in P4 forwards captures, and one packet's way through it is shown.
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

say "Next"
echo "   The same on live interfaces: ww run ... --port 0=eth0 --port 1=eth1 (docs/tutorial.md)."
echo "   Outputs are in $out; open them with any packet analyser."
