#!/bin/sh
# Runs all labs of labs/ at their full length in virtual time: labs.sh WW. Fails if an expectation is missed.
set -eu
ww=$(realpath "$1")
cd "$(dirname "$0")/.."
status=0
for lab in labs/*/lab.toml; do
    echo "== $(basename "$(dirname "$lab")")"
    "$ww" lab run "$(dirname "$lab")" || status=1
done
exit $status
