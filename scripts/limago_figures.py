"""What the blocks of a TCP/IP host cost: writes crates/rtl/data/limago.json, which `ww tcp report` shows.

    limago_figures.py [--only TEXT] [--limit SECONDS]

Run it with the Python of target/venv. Each block is mapped alone to Xilinx 7-series by Yosys, not placed: LUTs, flip-flops, block RAMs of 36
Kbit, and the LUTs on the longest path. A block of which the file has a figure of the same sources is not measured again; one that takes more than
`--limit` seconds (600) is recorded as such. `--only` measures the blocks whose module contains TEXT.
"""

import argparse
import datetime
import json
import time
from pathlib import Path

from lint_rtl import RTL
from pieo_figures import Failed, digest, luts, tools

FILE = RTL.parent / "crates/rtl/data/limago.json"
# What the block is, its module and its parameters. BUCKETS=4096: 16,392 sessions; PLACES and SESSIONS as of ww_toe.
BLOCKS = [
    ("ARP", "ww_arp", []),
    ("ICMP", "ww_icmp", []),
    ("inbound", "ww_inbound", []),
    ("outbound", "ww_outbound", []),
    ("cuckoo table", "ww_cuckoo", ["KEY_WIDTH=64", "DATA_WIDTH=16", "BUCKETS=4096"]),
    ("TOE: segments in", "ww_toe_arrivals", []),
    ("TOE: headers out", "ww_toe_departures", []),
    ("TOE: checksum and headers in front of data", "ww_transport_prepend", []),
    ("TOE: ports that listen", "ww_toe_listeners", []),
    ("TOE: keyed hash", "ww_toe_secrets", []),
    ("TOE: timers", "ww_toe_timers", ["PLACES=64"]),
    ("TOE: timers", "ww_toe_timers", ["PLACES=1024"]),
    ("TOE: timers", "ww_toe_timers", ["PLACES=10000"]),
    ("TOE: rows in the chip", "ww_toe_window", ["CONSUMES=1"]),
    ("memory", "ww_ddr4", []),
    ("TOE: memories of sessions", "ww_toe_memories", ["SESSIONS=64"]),
    ("TOE: memories of sessions", "ww_toe_memories", ["SESSIONS=1024"]),
    ("TOE: sessions", "ww_toe_session", []),
    *[(f"adder of {name}", "ww_ones_add", ["WORDS=33", f"ARCHITECTURE={number}"])
      for number, name in enumerate(("ArchBin16", "ArchBin32", "ArchTern16", "ArchRed1", "ArchRed2", "ArchRed3"))],
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="modules whose names contain it")
    parser.add_argument("--limit", type=float, default=600, help="seconds for each measurement")
    options = parser.parse_args()
    points = json.loads(FILE.read_text())["points"] if FILE.is_file() else []
    for part, module, given in BLOCKS:
        same = [old for old in points if (old["module"], old["parameters"]) == (module, given)]
        source = digest(module)
        if options.only not in module or any(old["source"] == source and "failed" not in old for old in same):
            continue
        begin = time.monotonic()
        try:
            found = luts(module, given, options.limit)
        except Failed as failed:
            found = {"failed": str(failed)}
        made = {"part": part, "module": module, "parameters": given, **found, "seconds": round(time.monotonic() - begin)}
        made |= {"day": datetime.date.today().isoformat(), "tools": tools(), "source": source}
        points = [old for old in points if old not in same] + [made]
        order = [(module, given) for _, module, given in BLOCKS]
        points = [old for old in points if (old["module"], old["parameters"]) in order]
        points.sort(key=lambda old: order.index((old["module"], old["parameters"])))
        lines = ",\n".join("  " + json.dumps(old) for old in points)
        written = FILE.with_suffix(".tmp")
        written.write_text(f'{{"by": "scripts/limago_figures.py", "points": [\n{lines}\n]}}\n')
        written.replace(FILE)
        print(f"{module} {' '.join(given)}: {json.dumps(found)}", flush=True)


if __name__ == "__main__":
    main()
