#!/bin/sh
# How long the front end takes for p4/programs/large (15 files, about 3,500 lines, 55 tables), as
# a process from start to end. check_large.sh PATH-OF-WW
set -eu
ww=${1:-target/release/ww}
python3 - "$ww" <<'PY'
import statistics, subprocess, sys, time

times = []
for _ in range(31):
    start = time.perf_counter()
    subprocess.run([sys.argv[1], "check", "p4/programs/large/large.p4"], check=True)
    times.append((time.perf_counter() - start) * 1e3)
print(f"ww check large.p4: median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms of {len(times)} runs")
PY
