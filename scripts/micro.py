#!/usr/bin/env python3
"""Writes a synthetic P4 program with entries, captures and a test.

    micro.py headers N --out DIR    N 16-bit headers, one parser state each
    micro.py tables N  --out DIR    N exact-match tables, each on the result of the one before
    micro.py fields N  --out DIR    one action that writes N independent 16-bit fields
    micro.py chain N   --out DIR    one action with N sums, each of the one before
    micro.py empty     --out DIR    nothing at all: every packet crosses to the other port

Each program forwards between the ports of a pair (0 and 1, 2 and 3, ...). DIR
gets micro.p4, entries.txt, in.P.pcap and expected.P.pcap for each port P, and
micro.stf with the first packets. The expected packets are computed here, from
what the program is meant to do. Same arguments, same files. Standard library
only.

Options: --ports P (even, default 2), --packets K a port (default 64), --size S
or LO-HI (bytes with FCS, default 256; a range is cycled through), --record M
(`fields`: the header has M fields, of which the first N are written; default N).
"""

import argparse
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import pcap_file

ETHERTYPE = 0x88B5  # IEEE 802, local experimental
SHOWN = 18  # packets in the test: those with a shorter chain or without a hit among them
KEYS = 16  # distinct keys in each table of `tables`

PRELUDE = """\
// Synthetic: {title}. Written by scripts/micro.py.

#include <core.p4>
#include <v1model.p4>

header ethernet_t {{
    bit<48> dstAddr;
    bit<48> srcAddr;
    bit<16> etherType;
}}

{types}
struct headers_t {{
    ethernet_t ethernet;
{members}}}

struct metadata_t {{
{metadata}}}

parser MicroParser(packet_in packet,
                   out headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {{
{states}}}

control MicroVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {{
    apply {{}}
}}

control ingress(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {{
{locals}    apply {{
        standard_metadata.egress_spec = standard_metadata.ingress_port ^ 1;
{body}    }}
}}

control egress(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {{
    apply {{}}
}}

control MicroComputeChecksum(inout headers_t hdr, inout metadata_t meta) {{
    apply {{}}
}}

control MicroDeparser(packet_out packet, in headers_t hdr) {{
    apply {{
{emits}    }}
}}

V1Switch(MicroParser(),
         MicroVerifyChecksum(),
         ingress(),
         egress(),
         MicroComputeChecksum(),
         MicroDeparser()) main;
"""

PARSE_ETHERNET = """\
    state start {{
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.etherType) {{
            0x{ethertype:04x}: {following};
            default: accept;
        }}
    }}
"""


def lines(template, count):
    """`template` once for each i below `count`."""
    return "".join(template.format(i=i, n=i + 1) for i in range(count))


def by_ethertype(table, action, body):
    """A table that has an action, with this body, for an Ethernet type."""
    name = action.partition("(")[0]
    return f"""    action {action} {{
{body}    }}

    table {table} {{
        key = {{ hdr.ethernet.etherType: exact; }}
        actions = {{ {name}; NoAction; }}
        default_action = NoAction();
        size = 4;
    }}

"""


def behind_ethernet(name, fields):
    """The parts of a program with one header behind Ethernet."""
    return {
        "types": f"header {name}_t {{\n{fields}}}\n",
        "members": f"    {name + '_t':11}{name};\n",
        "states": PARSE_ETHERNET.format(ethertype=ETHERTYPE, following=f"parse_{name}")
        + f"\n    state parse_{name} {{\n        packet.extract(hdr.{name});\n        transition accept;\n    }}\n",
        "emits": f"        packet.emit(hdr.ethernet);\n        packet.emit(hdr.{name});\n",
    }


class Headers:
    """N headers of 16 bits; a header that holds 1 is followed by another one."""

    def __init__(self, count):
        self.count = count
        self.commands = []
        self.stf = []

    def program(self):
        states = PARSE_ETHERNET.format(ethertype=ETHERTYPE, following="parse_h0" if self.count else "accept")
        for i in range(self.count):
            following = f"1: parse_h{i + 1};\n            " if i + 1 < self.count else ""
            states += f"""
    state parse_h{i} {{
        packet.extract(hdr.h{i});
        transition select(hdr.h{i}.following) {{
            {following}default: accept;
        }}
    }}
"""
        return PRELUDE.format(
            title=f"{self.count} headers of 16 bits",
            types="header hop_t {\n    bit<16> following;\n}\n",
            members=lines("    hop_t      h{i};\n", self.count),
            metadata="",
            states=states,
            locals="",
            body="",
            emits="        packet.emit(hdr.ethernet);\n" + lines("        packet.emit(hdr.h{i});\n", self.count),
        )

    def packet(self, rng, number):
        """What follows the Ethernet header, before and after. Every 16th chain is shorter."""
        length = self.count if number % 16 else rng.randrange(self.count + 1)
        chain = b"\x00\x01" * max(length - 1, 0) + (b"\x00\x00" if length else b"")
        return chain, chain


class Tables:
    """N tables in a chain; what one table gives is the key of the next."""

    def __init__(self, count):
        self.count = count
        rng = random.Random(count)
        self.inputs = rng.sample(range(65536), KEYS)
        self.maps, values = [], self.inputs
        for _ in range(count):
            results = rng.sample(range(65536), KEYS)
            self.maps.append(dict(zip(values, results)))
            values = results
        self.commands = [
            f"table_add ingress.t{i} set 0x{key:04x} => 0x{value:04x}"
            for i, entries in enumerate(self.maps)
            for key, value in entries.items()
        ]
        self.stf = [
            f"add t{i} meta.value:0x{key:04x} set(value:0x{value:04x})"
            for i, entries in enumerate(self.maps)
            for key, value in entries.items()
        ]

    def program(self):
        tables = """\
    table t{i} {{
        key = {{ meta.value: exact; }}
        actions = {{ set; NoAction; }}
        default_action = NoAction();
        size = 64;
    }}

"""
        return PRELUDE.format(
            title=f"{self.count} chained tables",
            **behind_ethernet("probe", "    bit<16> value;\n"),
            metadata="    bit<16> value;\n",
            locals="    action set(bit<16> value) {\n        meta.value = value;\n    }\n\n" + lines(tables, self.count),
            body="        if (hdr.probe.isValid()) {\n            meta.value = hdr.probe.value;\n"
            + lines("            t{i}.apply();\n", self.count)
            + "            hdr.probe.value = meta.value;\n        }\n",
        )

    def packet(self, rng, number):
        """Every 16th value is one that no first table has."""
        value = rng.choice(self.inputs) if number % 16 else rng.randrange(65536)
        result = value
        for entries in self.maps:
            result = entries.get(result, result)
        return value.to_bytes(2, "big"), result.to_bytes(2, "big")


class Fields:
    """One action that writes N fields of a header, none of which it reads."""

    BASE = 0x5A00

    def __init__(self, count, record=None):
        self.count = count
        self.record = max(record or count, count)
        self.commands = [f"table_add ingress.write_fields write 0x{ETHERTYPE:04x} => 0x{self.BASE:04x}"]
        self.stf = [f"add write_fields hdr.ethernet.etherType:0x{ETHERTYPE:04x} write(base:0x{self.BASE:04x})"]

    def program(self):
        return PRELUDE.format(
            title=f"one action with {self.count} field writes",
            **behind_ethernet("record", lines("    bit<16> f{i};\n", self.record)),
            metadata="",
            locals=by_ethertype("write_fields", "write(bit<16> base)", lines("        hdr.record.f{i} = base ^ {n};\n", self.count)),
            body="        if (hdr.record.isValid()) {\n            write_fields.apply();\n        }\n",
        )

    def packet(self, rng, _number):
        written = b"".join((self.BASE ^ (i + 1)).to_bytes(2, "big") for i in range(self.count))
        before = rng.randbytes(2 * self.record)
        return before, written + before[len(written) :]


class Chain:
    """One action with N sums, each of which needs the one before."""

    STEP = 0x3A01

    def __init__(self, count):
        self.count = count
        self.commands = [f"table_add ingress.sums add 0x{ETHERTYPE:04x} => 0x{self.STEP:04x}"]
        self.stf = [f"add sums hdr.ethernet.etherType:0x{ETHERTYPE:04x} add(step:0x{self.STEP:04x})"]

    def program(self):
        return PRELUDE.format(
            title=f"{self.count} sums, each of the one before",
            **behind_ethernet("probe", "    bit<16> value;\n"),
            metadata="",
            locals=by_ethertype("sums", "add(bit<16> step)", lines("        hdr.probe.value = hdr.probe.value + step;\n", self.count)),
            body="        if (hdr.probe.isValid()) {\n            sums.apply();\n        }\n",
        )

    def packet(self, rng, _number):
        value = rng.randrange(65536)
        result = (value + self.count * self.STEP) & 0xFFFF
        return value.to_bytes(2, "big"), result.to_bytes(2, "big")


class Empty:
    """No header is parsed and nothing is done."""

    commands, stf = [], []

    def program(self):
        return PRELUDE.format(
            title="an empty pipeline",
            types="",
            members="",
            metadata="",
            states="    state start {\n        transition accept;\n    }\n",
            locals="",
            body="",
            emits="",
        )

    def packet(self, _rng, _number):
        return b"", b""


def sizes(text):
    """`S` or `LO-HI`, in bytes with FCS."""
    low, _, high = text.partition("-")
    bounds = int(low), int(high or low)
    if not 64 <= bounds[0] <= bounds[1] <= 9000:
        raise argparse.ArgumentTypeError(f"{text}: a size from 64 to 9000, or two of them as LO-HI")
    return bounds


def capture(kind, port, options):
    """[(before, after)] of the packets that enter by `port`."""
    rng = random.Random(1000 + port)
    low, high = options.size
    packets = []
    for number in range(options.packets):
        ethernet = (
            (0x020000000000 + (port ^ 1)).to_bytes(6, "big")
            + (0x020000000000 + port).to_bytes(6, "big")
            + ETHERTYPE.to_bytes(2, "big")
        )
        before, after = kind.packet(rng, number)
        length = low + number % (high - low + 1) - 4
        rest = rng.randbytes(max(length - len(ethernet) - len(before), 0))
        if isinstance(kind, Headers) and len(before) < 2 * kind.count:
            rest = bytes(len(rest))
        packets.append((ethernet + before + rest, ethernet + after + rest))
    return packets


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["headers", "tables", "fields", "chain", "empty"])
    parser.add_argument("count", nargs="?", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--ports", type=int, default=2)
    parser.add_argument("--packets", type=int, default=64)
    parser.add_argument("--size", type=sizes, default=(256, 256))
    parser.add_argument("--record", type=int, metavar="M", help="`fields`: so many fields in the header")
    options = parser.parse_args()
    if options.ports < 2 or options.ports % 2 or options.ports > 510:
        parser.error("--ports: an even number from 2 to 510")
    if options.count < 0 or (options.kind in ("tables", "fields", "chain") and options.count < 1):
        parser.error("count: how many? At least 1 (headers: 0)")

    kinds = {"headers": Headers, "tables": Tables, "chain": Chain}
    if options.kind == "empty":
        kind = Empty()
    elif options.kind == "fields":
        kind = Fields(options.count, options.record)
    else:
        kind = kinds[options.kind](options.count)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "micro.p4").write_text(kind.program(), encoding="utf-8")
    what = options.kind if options.kind == "empty" else f"{options.kind} {options.count}"
    note = f"# micro.py {what}"
    (options.out / "entries.txt").write_text("\n".join([note, *kind.commands]) + "\n", encoding="utf-8")
    test = [f"{note}: the first packets of port 0", *kind.stf]
    for port in range(options.ports):
        packets = capture(kind, port, options)
        pcap_file.write(options.out / f"in.{port}.pcap", [(i, before) for i, (before, _) in enumerate(packets)])
        pcap_file.write(options.out / f"expected.{port ^ 1}.pcap", [(i, after) for i, (_, after) in enumerate(packets)])
        if port == 0:
            for before, after in packets[:SHOWN]:
                test += [f"packet 0 {before.hex()}", f"expect 1 {after.hex()}$"]
    (options.out / "micro.stf").write_text("\n".join(test) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
