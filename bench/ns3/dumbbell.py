"""The table of dumbbell.sh: dumbbell.py NS3_NEWRENO NS3_CUBIC RESULTS_JSON.

The first two have a line of JSON for each run of dumbbell.cc; the third is what `ww lab run labs/dumbbell` wrote. Each figure is the mean
over the runs, with half the width of its 95 % interval (Student's t).
"""

import json
import math
import sys

FIGURES = ["goodput_bps", "jain", "loss", "queue_bytes", "rtt_us"]
# What a packet's acknowledgement takes back, us: 9 ms, two edges of 500 us in the mean, and 90 bytes on three lines.
BACK = 10_000 + 7.2 + 2 * 0.72
T95 = {1: math.nan, 2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}


def ours(results):
    """The runs of a variant, as dumbbell.cc prints them."""
    flows = [results["traffic"][f"f{number}"] for number in range(6)]
    queue = results["queues"]["s0->s1"]["mean_bytes"]["values"]
    runs = []
    for run, depth in enumerate(queue):
        def sums(*path):
            values = []
            for flow in flows:
                for key in path:
                    flow = flow[key]
                values.append(flow["values"][run])
            return values

        goodputs = sums("goodput_bps")
        runs.append({
            "goodput_bps": sum(goodputs),
            "jain": sum(goodputs) ** 2 / (len(goodputs) * sum(value**2 for value in goodputs)),
            "loss": sum(sums("packets", "dropped")) / sum(sums("packets", "sent")),
            "queue_bytes": depth,
            "rtt_us": sum(sums("latency_us", "mean")) / len(flows) + BACK,
        })
    return runs


def mean(runs, figure):
    """Mean, and half the width of its interval."""
    values = [run[figure] for run in runs]
    average = sum(values) / len(values)
    deviation = math.sqrt(sum((value - average) ** 2 for value in values) / max(len(values) - 1, 1))
    return average, T95.get(len(values), 1.96) * deviation / math.sqrt(len(values))


def main():
    newreno, cubic, results = sys.argv[1:4]
    with open(results, encoding="utf-8") as file:
        results = json.load(file)["results"]
    for name, path in [("newreno", newreno), ("cubic", cubic)]:
        with open(path, encoding="utf-8") as file:
            theirs = [json.loads(line) for line in file]
        runs = ours(results[name])
        print(f"{name}: {len(theirs)} runs of ns-3, {len(runs)} of ours")
        print(f"  {'':12} {'ns-3':>26} {'ours':>26} {'ours / ns-3':>12}")
        for figure in FIGURES:
            (a, da), (b, db) = mean(theirs, figure), mean(runs, figure)
            print(f"  {figure:12} {a:16.6g} ± {da:7.2g} {b:16.6g} ± {db:7.2g} {b / a:12.4f}")
        for figure in ["recoveries", "timeouts"]:
            print(f"  {figure:12} {mean(theirs, figure)[0]:16.6g}")


main()
