"""What the circuit switch of rtl/shoal costs against the number of its ports, and the rules of a host against the number of hosts.

    shoal_figures.py [--ports P,P,..] [--hosts N,N,..] [--luts P,P,..] [--limit SECONDS] [--write]

Run it with the Python of target/venv. For each number of ports: gates of at most two inputs and multiplexers (one gate a bit),
flip-flops and bits of RAM as Yosys counts them without mapping to a device (RAM is the schedule memory and the words of the FIFOs;
other arrays, and registers behind a RAM, are flip-flops); with --luts also LUTs, flip-flops and block RAMs as it
maps them to Xilinx 7-series, which takes minutes at 32 ports. The switch has words of 64 bits and the rows of an epoch of the
largest fabric in two tiers that is built of such switches: p / 2 hosts at each of p leaves. The host is ww_shoal_control with the
delay of the prototype; its RAM is the cells of others, 64 bytes for each place in each queue, and tables.

It prints a table in Markdown for each of both; --write puts them into rtl/shoal/README.md, between the lines that name this script. What takes more
than --limit seconds, or was not asked for, is an empty field.
"""

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path

from lint_rtl import RTL
from pieo_figures import Failed, luts, read, yosys
from readme_table import put

SWITCH, HOST = "ww_shoal_switch", "ww_shoal_control"

README = RTL / "shoal" / "README.md"
HEAD = [
    "| ports | hosts | rows | gates | flip-flops | bits of RAM | LUTs | flip-flops, mapped | block RAMs of 36 Kbit |",
    "|---|---|---|---|---|---|---|---|---|",
]
HOST_HEAD = ["| hosts | gates | flip-flops | bits of RAM |", "|---|---|---|---|"]


def cells(module: str, given: list[str], limit: float) -> dict[str, int]:
    """Gates, flip-flops and bits of RAM."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report, tempfile.NamedTemporaryFile() as memories:
        yosys([
            read(module, given), f"tee -q hierarchy -top {module}", "tee -q proc", "tee -q flatten", "tee -q opt",
            "tee -q wreduce", "tee -q peepopt", "tee -q opt_clean", "tee -q alumacc",
            "tee -q memory -nordff -nomap", "tee -q opt_clean",
            # All arrays but those that are written and read by address.
            "tee -q memory_map t:$mem_v2 r:MEMID=*memory* %d",
            "tee -q opt -fast -full", "tee -q techmap t:$mem_v2 %n", "tee -q opt -fast",
            f"tee -q -o {report.name} stat -json", f"tee -q -o {memories.name} dump t:$mem_v2",
        ], limit)  # fmt: skip
        kinds = json.loads(Path(report.name).read_text())["design"]["num_cells_by_type"]
        told = Path(memories.name).read_text()
        sizes = [re.findall(rf"parameter \\{size} (?:signed )?(\d+)\n", told) for size in ("SIZE", "WIDTH")]
    flipflops = sum(count for kind, count in kinds.items() if "DFF" in kind)
    gates = sum(kinds.values()) - flipflops - kinds["$mem_v2"]
    bits = sum(int(words) * int(width) for words, width in zip(*sizes, strict=True))
    return {"gates": gates, "flipflops": flipflops, "ram_bits": bits}


def line(ports: int, mapped: bool, limit: float) -> str:
    """A row of the table."""
    hosts = ports * ports // 2
    given = ["WIDTH=64", f"PORTS={ports}", f"ROWS={hosts}"]
    counted = attempt(cells, SWITCH, given, limit)
    fields = [counted.get(kind) for kind in ("gates", "flipflops", "ram_bits")]
    counted = attempt(luts, SWITCH, given, limit) if mapped else {}
    fields += [counted.get(kind) for kind in ("luts", "flipflops", "ramb36")]
    shown = ["" if field is None else f"{field:,}" for field in fields]
    return f"| {ports} | {hosts:,} | {hosts:,} | {' | '.join(shown)} |"


def host_line(hosts: int, limit: float) -> str:
    """A row of the table of hosts."""
    counted = attempt(cells, HOST, [f"HOSTS={hosts}"], limit)
    fields = [counted.get(kind) for kind in ("gates", "flipflops", "ram_bits")]
    return f"| {hosts} | {' | '.join('' if field is None else f'{field:,}' for field in fields)} |"


def attempt(measure, module: str, given: list[str], limit: float) -> dict[str, float]:
    try:
        return measure(module, given, limit)
    except Failed as told:
        print(f"{measure.__name__} {' '.join(given)}: {told}", file=sys.stderr)
        return {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ports", default="4,8,16,32,64", help="numbers of ports")
    parser.add_argument("--hosts", default="8,16,32,64", help="numbers of hosts")
    parser.add_argument("--luts", default="", metavar="P,P,..", help="those that are mapped too")
    parser.add_argument("--limit", type=float, default=3600, help="seconds for each measurement")
    parser.add_argument("--write", action="store_true", help="put the table into the README of the block")
    options = parser.parse_args()
    mapped = {int(ports) for ports in options.luts.split(",") if ports}
    ports = [int(one) for one in options.ports.split(",") if one]
    hosts = [int(one) for one in options.hosts.split(",") if one]
    tables = {
        SWITCH: [HEAD, [line(one, one in mapped, options.limit) for one in ports]],
        HOST: [HOST_HEAD, [host_line(one, options.limit) for one in hosts]],
    }
    for module, (head, rows) in tables.items():
        if not rows:
            continue
        table = "\n".join([*head, *rows])
        print(table)
        if options.write:
            put(README, "shoal_figures.py", module, table)


if __name__ == "__main__":
    main()
