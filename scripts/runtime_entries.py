"""Reader of BMv2 runtime commands for the Python models of p4/programs.

A program's `entries.txt` is the one place where its entries are written. The
engine reads it, and so do the models in the `make_pcap.py` scripts, through
this module. Only what the models need is understood: `table_add`,
`table_set_default`, `mc_mgrp_create`, `mc_node_create`, `mc_node_associate`
and `register_write`. Anything else is an error, so that no command is
silently missing from a model.
"""

import ipaddress
import re
from dataclasses import dataclass, field

MAC = re.compile(r"^[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}$")


def number(text):
    """A command's value as an integer: decimal, 0x, MAC, IPv4 or IPv6."""
    if MAC.match(text):
        return int(text.replace(":", ""), 16)
    if ":" in text or text.count(".") == 3:
        return int(ipaddress.ip_address(text))
    return int(text, 0)


@dataclass
class Entry:
    """One table entry: key texts, action name, and the numbers after `=>`."""

    keys: list
    action: str
    numbers: list


@dataclass
class Entries:
    """Everything a command file sets up."""

    tables: dict = field(default_factory=dict)
    defaults: dict = field(default_factory=dict)
    nodes: list = field(default_factory=list)
    groups: dict = field(default_factory=dict)
    registers: dict = field(default_factory=dict)

    def find(self, table, *values):
        """Look `values` up; each is (kind, width, value). Returns an Entry or None.

        The rules are those of P4_16 section 14.2.1 and of BMv2's commands: the
        longest prefix wins, else the entry with the lowest priority number,
        else the one written first. A priority is the last number of an entry
        whose key has a ternary or range field.
        """
        prioritised = any(kind in ("ternary", "range") for kind, _, _ in values)
        best, best_rank = None, None
        for entry in self.tables.get(table, []):
            longest = 0
            for text, (kind, width, value) in zip(entry.keys, values, strict=True):
                if kind == "lpm":
                    prefix, length = text.rsplit("/", 1)
                    shift = width - int(length)
                    if number(prefix) >> shift != value >> shift:
                        break
                    longest = int(length)
                elif kind == "ternary":
                    wanted, mask = map(number, text.split("&&&"))
                    if wanted & mask != value & mask:
                        break
                elif kind == "range":
                    low, high = map(number, text.split("->"))
                    if not low <= value <= high:
                        break
                elif number(text) != value:
                    break
            else:
                rank = entry.numbers[-1] if prioritised else -longest
                if best is None or rank < best_rank:
                    best, best_rank = entry, rank
        return best

    def members(self, group):
        """Ports of a multicast group, in the order in which copies are made."""
        return [port for handle in self.groups[group] for port in self.nodes[handle]]


def read(path):
    """Read a command file into `Entries`; raises ValueError with file and line."""
    entries = Entries()
    with open(path, encoding="utf-8") as source:
        for line_number, line in enumerate(source, 1):
            words = line.split("#", 1)[0].split()
            if not words:
                continue
            command, rest = words[0], words[1:]
            if command == "table_add":
                arrow = rest.index("=>")
                entries.tables.setdefault(rest[0], []).append(
                    Entry(rest[2:arrow], rest[1], [number(text) for text in rest[arrow + 1 :]])
                )
            elif command == "table_set_default":
                numbers = [number(text) for text in rest[2:] if text != "=>"]
                entries.defaults[rest[0]] = Entry([], rest[1], numbers)
            elif command == "mc_mgrp_create":
                entries.groups[number(rest[0])] = []
            elif command == "mc_node_create":
                entries.nodes.append([number(port) for port in rest[1:]])
            elif command == "mc_node_associate":
                entries.groups[number(rest[0])].append(number(rest[1]))
            elif command == "register_write":
                entries.registers[(rest[0], number(rest[1]))] = number(rest[2])
            else:
                raise ValueError(f"{path}:{line_number}: the models do not know `{command}`")
    return entries
