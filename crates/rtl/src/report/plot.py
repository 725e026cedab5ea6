"""Draws a report: plot.py REPORT.json FILE.png|.svg|.pdf"""

import json
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

STAGES = {"parser": "parser", "match_action": "match-action", "memory": "memory", "deparser": "deparser"}


def main() -> None:
    with open(sys.argv[1]) as file:
        report = json.load(file)
    sizes = report["sizes"]
    figure, (latency, rate) = pyplot.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    figure.suptitle(f"{report['program']}, {report['width']} bits a beat")
    bytes_of = [size["bytes"] for size in sizes if size["alone"]["stages"]]
    stages = [size["alone"]["stages"] for size in sizes if size["alone"]["stages"]]
    if stages:
        latency.stackplot(bytes_of, *[[s[name] for s in stages] for name in STAGES], labels=STAGES.values())
        first = [size["alone"]["first_bit"] for size in sizes if size["alone"]["stages"]]
        latency.plot(bytes_of, first, "k--", label="first bit")
        latency.legend(loc="upper left")
    latency.set(xlabel="frame without FCS (bytes)", ylabel="clocks", title="One packet alone")
    bits = [size["bytes"] * 8 / size["stream"]["clocks_per_packet"] for size in sizes]
    bound = [size["bytes"] * 8 / size["stream"]["bound"] for size in sizes]
    rate.plot([size["bytes"] for size in sizes], bound, color="0.7", linewidth=4, label="bound of the bus")
    rate.plot([size["bytes"] for size in sizes], bits, marker="." if len(sizes) < 50 else "", label="measured")
    rate.set(xlabel="frame without FCS (bytes)", ylabel="bits a clock", title="Back to back", ylim=(0, None))
    rate.legend(loc="lower right")
    figure.savefig(sys.argv[2])


if __name__ == "__main__":
    main()
