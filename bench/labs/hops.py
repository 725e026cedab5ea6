"""One line of hops.sh: hops.py WW LAB NAME REPEATS."""

import json
import resource
import subprocess
import sys


def run(ww, lab, duration):
    """Hops, and seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [ww, "lab", "run", lab, "--workers", "1", "--json", "--set", f"run.duration={duration}"],
        check=True, capture_output=True, text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(done.stdout)["results"]["network"]["packet_hops"]["value"], seconds


def main():
    ww, lab, name, repeats = sys.argv[1:5]
    best = 0.0
    for _ in range(int(repeats)):
        short, long = run(ww, lab, "20 ms"), run(ww, lab, "220 ms")
        hops, seconds = long[0] - short[0], long[1] - short[1]
        best = max(best, hops / seconds)
        print(f"{name}: {hops} hops in {seconds:.2f} s, {hops / seconds / 1e6:.2f} million a second")
    print(f"{name}: best {best / 1e6:.2f} million hops a second")


main()
