"""Maps a design to a Xilinx 7-series FPGA with Yosys: cells by module, and the longest paths.

    area.py TOP OUT.json FILE.sv ...

Runs with a Python that has pyosys. The report is an object:
  "modules": {path of the instance below the top ("" for the top itself): {cell type: count}},
    each module's own cells, without those of the instances in it
  "flat": {cell type: count} of the design mapped without bounds between its modules
  "depth": {"luts", "carries", "from", "to"} of the path with the most look-up tables from a register, a
    block RAM or an input to the next one, of the flat design; "from" and "to" are names of signals
"""

import json
import sys
import tempfile
from pathlib import Path

from pyosys import libyosys

# Cells whose outputs follow their inputs within a clock, and the look-up tables that they stand for.
# RAM in look-up tables is read like this; MUXF7 and MUXF8 sit behind look-up tables in one slice.
THROUGH = {f"LUT{inputs}": 1 for inputs in range(1, 7)} | {
    "INV": 0, "BUF": 0, "MUXF7": 0, "MUXF8": 0, "CARRY4": 0,
    "RAM32M": 1, "RAM64M": 1, "RAM32X1D": 1, "RAM64X1D": 1, "RAM128X1D": 1,
    "RAM32X1S": 1, "RAM64X1S": 1, "RAM128X1S": 1, "RAM256X1S": 1,
}  # fmt: skip
# Inputs that are read at the clock edge.
CLOCKED = ("WCLK", "WE", "D", "DI", "DIA", "DIB", "DIC", "DID")


def main() -> None:
    top, out, files = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
    read = f"tee -q read_slang --keep-hierarchy --top {top} {' '.join(files)}"
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        hierarchical = libyosys.Design()
        libyosys.run_pass(read, hierarchical)
        libyosys.run_pass("tee -q synth_xilinx -family xc7 -noiopad", hierarchical)
        libyosys.run_pass(f"tee -q -o {report} stat -json", hierarchical)
        statistics = json.loads(report.read_text())["modules"]
        flat = libyosys.Design()
        libyosys.run_pass(read, flat)
        libyosys.run_pass("tee -q synth_xilinx -family xc7 -noiopad -flatten", flat)
        libyosys.run_pass(f"tee -q write_json {report}", flat)
        netlist = json.loads(report.read_text())["modules"][top]
    cells = {name: cell for name, cell in netlist["cells"].items() if not cell["type"].startswith("$")}
    counts: dict[str, int] = {}
    for cell in cells.values():
        counts[cell["type"]] = counts.get(cell["type"], 0) + 1
    modules = {path(name, top): own(module, statistics) for name, module in statistics.items()}
    out.write_text(json.dumps({"modules": modules, "flat": counts, "depth": depth(netlist, cells)}))


def path(module: str, top: str) -> str:
    """The instance of a module: read_slang names modules `module$top.instance.instance`."""
    _, _, instance = module.removeprefix("\\").partition(f"${top}.")
    return instance


def own(module: dict, statistics: dict) -> dict:
    """A module's cells without instances of other modules."""
    types = module["num_cells_by_type"].items()
    return {kind: n for kind, n in types if kind not in statistics and "\\" + kind not in statistics and not kind.startswith("$")}


def depth(netlist: dict, cells: dict) -> dict:
    """The longest path."""
    driver, inputs = {}, {}
    for name, cell in cells.items():
        if cell["type"] not in THROUGH:
            continue
        ports = {"input": [], "output": []}
        for port, bits in cell["connections"].items():
            if port not in CLOCKED or cell["type"].startswith(("LUT", "MUX", "CARRY")):
                ports[cell["port_directions"][port]] += [bit for bit in bits if isinstance(bit, int)]
        inputs[name] = ports["input"]
        driver |= dict.fromkeys(ports["output"], name)

    def weight(name: str) -> tuple[int, int]:
        kind = cells[name]["type"]
        return THROUGH[kind], int(kind == "CARRY4")

    # Longest (look-up tables, carries) to each cell's outputs and the bit before it, depth first.
    best: dict[str, tuple[tuple[int, int], int | None]] = {}
    open_cells = set()
    for start in inputs:
        stack = [start]
        while stack:
            name = stack[-1]
            if name in best:
                stack.pop()
                continue
            before = [driver[bit] for bit in inputs[name] if bit in driver]
            missing = [cell for cell in before if cell not in best and cell not in open_cells]
            if missing and name not in open_cells:
                open_cells.add(name)
                stack += missing
                continue
            longest, bit = (0, 0), None
            for candidate in inputs[name]:
                length = best[driver[candidate]][0] if driver.get(candidate) in best else (0, 0)
                if bit is None or length > longest:
                    longest, bit = length, candidate
            luts, carries = weight(name)
            best[name] = ((longest[0] + luts, longest[1] + carries), bit)
            open_cells.discard(name)
            stack.pop()
    if not best:
        return {"luts": 0, "carries": 0, "from": "", "to": ""}
    end = max(best, key=lambda name: best[name][0])
    name = end
    while best[name][1] in driver:
        name = driver[best[name][1]]
    names = signals(netlist)
    output = next((bit for port, bits in cells[end]["connections"].items()
                   if cells[end]["port_directions"][port] == "output" for bit in bits if isinstance(bit, int)), None)  # fmt: skip
    target = names.get(output) or next((names[bit] for bit in reached(cells, output) if bit in names), "")
    luts, carries = best[end][0]
    return {"luts": luts, "carries": carries, "from": names.get(best[name][1], ""), "to": target}


def reached(cells: dict, bit: int | None) -> list[int]:
    """Outputs of the cells that read a bit."""
    found = []
    for cell in cells.values():
        directions = cell["port_directions"]
        ports = cell["connections"].items()
        if any(directions[port] == "input" and bit in bits for port, bits in ports):
            found += [b for port, bits in ports if directions[port] == "output" for b in bits if isinstance(b, int)]
    return found


def signals(netlist: dict) -> dict[int, str]:
    """Names of bits: those that the source has, the shortest of each."""
    names: dict[int, str] = {}
    for name, net in netlist["netnames"].items():
        if net.get("hide_name") or "$" in name:
            continue
        for n, bit in enumerate(net["bits"]):
            text = f"{name}[{n}]" if len(net["bits"]) > 1 else name
            if isinstance(bit, int) and (bit not in names or len(text) < len(names[bit])):
                names[bit] = text
    return names


if __name__ == "__main__":
    main()
