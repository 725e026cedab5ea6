#!/bin/sh
# Tests DPDK ports on virtual devices. Needs libdpdk-dev and pkg-config, and says so without them.
set -eu
if ! pkg-config --exists libdpdk 2>/dev/null; then
    echo "SKIPPED: DPDK ports; they need: apt-get install libdpdk-dev pkg-config" >&2
    exit 0
fi
"${CARGO:-cargo}" test -p wirewright-io --features dpdk --test all dpdk::
