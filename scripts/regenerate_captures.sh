#!/bin/sh
# Makes the captures and tests of p4/programs anew from their Python models (scapy).
# With --check nothing changes in the tree: the result must equal what is committed.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
venv=target/venv
if [ ! -x "$venv/bin/python3" ] || ! "$venv/bin/python3" -c 'import scapy' 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet -r requirements.txt
fi
python="$root/$venv/bin/python3"
where=$root
if [ "${1:-}" = "--check" ]; then
    where=$(mktemp -d)
    trap 'rm -rf "$where"' EXIT
    mkdir "$where/p4"
    cp -r p4/programs "$where/p4/programs"
    cp -r scripts "$where/scripts"
fi
for script in "$where"/p4/programs/*/make_pcap.py "$where"/p4/programs/*/make_stf.py; do
    (cd "$(dirname "$script")" && "$python" "$(basename "$script")" >/dev/null)
done
if [ "$where" != "$root" ]; then
    if diff -r -q -x __pycache__ "$where/p4/programs" p4/programs; then
        echo "captures and tests of p4/programs are what their models make"
    else
        echo "captures or tests of p4/programs differ from what their models make" >&2
        exit 1
    fi
fi
