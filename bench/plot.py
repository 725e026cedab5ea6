#!/usr/bin/env python3
"""Draws the results of bench/run.sh: plot.py RESULTS OUT

OUT gets rates.svg (contenders on l2l3's workloads) and micro.svg (the sweeps). Needs matplotlib.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
import results

# The same bytes for the same results.
matplotlib.rcParams["svg.hashsalt"] = "bench"
COLOURS = {"jit": "#1b6ca8", "interp": "#7fb2d9", "yardstick": "#333333"}
PEER = "#c98b3a"


def plain(engine):
    return results.name(engine).replace("`", "")


def rates(folder, out):
    parts = [
        ("l2l3", "10,000 IPv4 routes"), ("million", "1,000,000 IPv4 routes"), ("ipv6", "10,000 IPv6 routes"),
        ("exact", "exact tables"),
    ]  # fmt: skip
    parts = [(results.by_engine(results.load(folder, part)), title) for part, title in parts]
    parts = [(engines, title) for engines, title in parts if engines]
    if not parts:
        return
    heights = [len(engines) for engines, _ in parts]
    figure, axes = plt.subplots(len(parts), 1, figsize=(8, 0.8 * len(parts) + 0.32 * sum(heights)), sharex=True,
                                height_ratios=heights, squeeze=False)  # fmt: skip
    for axis, (engines, title) in zip(axes[:, 0], parts):
        ordered = sorted(engines.values(), key=lambda r: r["mpps"])
        bars = axis.barh(
            [plain(r["engine"]) for r in ordered], [r["mpps"] for r in ordered],
            color=[COLOURS.get(r["engine"], PEER) for r in ordered],
        )  # fmt: skip
        axis.bar_label(bars, [f"{r['mpps']:.2f}" for r in ordered], padding=3)
        axis.set_title(title, loc="left", fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
    axes[-1, 0].set_xlabel("million packets a second, one core, 64-byte frames")
    axes[-1, 0].margins(x=0.12)
    figure.tight_layout()
    figure.savefig(out / "rates.svg", metadata={"Date": None})


def micro(folder, out):
    found = results.load(folder, "micro")
    if not found:
        return
    figure, axes = plt.subplots(1, 3, figsize=(10, 3.2))
    for axis, kind, title in zip(axes, ("headers", "tables", "fields"), ("headers parsed", "chained tables", "field writes")):
        for engine in ("interp", "jit"):
            points = [(r["count"], r["ns_per_packet"]) for r in found if r["kind"] == kind and r["engine"] == engine]
            if points:
                axis.plot(*zip(*sorted(points)), marker="o", color=COLOURS[engine], label=engine)
        axis.set_xlabel(title)
        axis.set_yscale("log")
        axis.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("ns a packet")
    axes[0].legend(frameon=False)
    figure.tight_layout()
    figure.savefig(out / "micro.svg", metadata={"Date": None})


if __name__ == "__main__":
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    target.mkdir(parents=True, exist_ok=True)
    rates(source, target)
    micro(source, target)
