"""What the architectures of ww_ones_add cost, and how deep they are, beside the published figures.

    checksum_figures.py [--words N] [--limit SECONDS] [--write]

Run it with the Python of target/venv. For each architecture: LUTs of six inputs and how many of them are on the longest path, as Yosys
maps it without carry chains; LUTs of 7-series, with carry chains. It prints a table in Markdown; --write puts that of 33 words into rtl/checksum/README.md.
Exit status 1 unless the depths without carry chains have the published order: ArchRed3, ArchTern16, ArchBin16, ArchBin32.
"""

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path

from lint_rtl import RTL
from pieo_figures import luts, read, yosys
from readme_table import put

MODULE = "ww_ones_add"
# Name; delay in ns, levels and LUTs of 33 words on UltraScale+, by the number of the architecture.
PUBLISHED = [
    (adder["name"], adder["delay_ns"], adder["levels"], adder["luts"])
    for adder in json.loads((RTL.parent / "crates/rtl/data/limago_published.json").read_text())["adders"]
]
HEAD = [
    "| `ARCHITECTURE` | | published: delay, ns | levels | LUT | here: levels | LUT | LUT of 7-series |",
    "|---|---|---|---|---|---|---|---|",
]


def plain(given: list[str], limit: float) -> tuple[int, int]:
    """LUTs of six inputs without carry chains, and how many of them are on the longest path."""
    with tempfile.NamedTemporaryFile() as counted, tempfile.NamedTemporaryFile() as path:
        yosys([
            read(MODULE, given), f"tee -q hierarchy -top {MODULE}", "tee -q proc", "tee -q flatten", "tee -q opt", "tee -q techmap",
            "tee -q opt -full", "tee -q abc -lut 6", f"tee -q -o {counted.name} stat", f"tee -q -o {path.name} ltp -noff",
        ], limit)  # fmt: skip
        cells = re.search(r"(\d+)\s+\$lut", Path(counted.name).read_text())
        length = re.search(r"length=(\d+)", Path(path.name).read_text())
    return int(cells[1]), int(length[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", type=int, default=33, help="words that are added")
    parser.add_argument("--limit", type=float, default=600, help="seconds for each measurement")
    parser.add_argument("--write", action="store_true", help="put the table into the README of the block")
    options = parser.parse_args()
    if options.write and options.words != 33:
        parser.error("--write is for 33 words")
    rows, depths = [], {}
    for number, (name, delay, levels, area) in enumerate(PUBLISHED):
        given = [f"WORDS={options.words}", f"ARCHITECTURE={number}"]
        cells, depths[name] = plain(given, options.limit)
        mapped = luts(MODULE, given, options.limit)["luts"]
        rows.append(f"| {number} | {name} | {delay} | {levels} | {area} | {depths[name]} | {cells} | {mapped} |")
    table = "\n".join([*HEAD, *rows])
    print(table)
    if options.write:
        put(RTL / "checksum" / "README.md", "checksum_figures.py", MODULE, table)
    order = [depths[name] for name in ("ArchRed3", "ArchTern16", "ArchBin16", "ArchBin32")]
    if order != sorted(set(order)):
        sys.exit(f"the depths are not in the published order: {depths}")


if __name__ == "__main__":
    main()
