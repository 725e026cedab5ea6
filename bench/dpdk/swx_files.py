#!/usr/bin/env python3
"""Writes a workload for DPDK's SWX pipeline: program, entries and I/O specification.

    swx_files.py WORKLOAD --out DIR

DIR gets l2l3.spec, one file of entries for each table (TABLE.txt), and rings.io. The
pipeline has exact and wildcard tables. Of a workload made with `workload.py --exact` (program
bench/l2l3_exact.p4) all tables are exact; otherwise the access list is a wildcard table, which is
what it is for, and so is the route table, for want of longest prefixes: the priority of an entry
is then the number of bits outside its prefix.

The program does what l2l3 does with IPv4. Frames that need the rest of l2l3 (IPv6, ARP, flooding)
are counted in register `others`; the workloads have none. The access list's direct counter counts
packets only: the pipeline does not tell programs how long a packet is.
"""

import argparse
import ipaddress
import json
from pathlib import Path

PORTS = 8

# Fields of keys lie side by side, so that no key has to be gathered. Those of wildcard tables are
# one byte and then units of four, as rte_acl wants them: hence the pads.
SPEC = """\
struct ethernet_h {
	bit<48> dst_addr
	bit<48> src_addr
	bit<16> ethertype
}

struct vlan_h {
	bit<16> tci
	bit<16> ethertype
}

struct ipv4_h {
	bit<8> ver_ihl
	bit<8> diffserv
	bit<16> total_len
	bit<16> identification
	bit<16> flags_offset
	bit<8> ttl
	bit<8> protocol
	bit<16> hdr_checksum
	bit<32> src_addr
	bit<32> dst_addr
}

struct l4_h {
	bit<16> src_port
	bit<16> dst_port
}

struct sum_h {
	bit<16> value
}

header ethernet instanceof ethernet_h
header vlan instanceof vlan_h
header ipv4 instanceof ipv4_h
header l4 instanceof l4_h
header sum instanceof sum_h

struct metadata_t {
	bit<32> port_in
	bit<32> port_out
	bit<16> in_port
	bit<16> vid
	bit<48> dst_mac
	bit<16> learn_vid
	bit<48> src_mac
	bit<8> protocol
	bit<32> src_addr
	bit<32> dst_addr
	bit<16> acl_port
	bit<16> l4_dst
	bit<16> l4_src
	bit<16> pad
	bit<8> route_pad
	bit<32> route_dst
	bit<32> nexthop
	bit<16> out_port
	bit<16> out_vid
	bit<16> tci
	bit<32> station_port
	bit<64> scratch
}

metadata instanceof metadata_t

regarray drops size 16 initval 0
regarray others size 1 initval 0
regarray learn size 1 initval 0
regarray acl_hits size 128 initval 0
regarray port_out_packets size 512 initval 0

struct vid_args {
	bit<16> vid
}

struct port_args {
	bit<32> port
}

struct rule_args {
	bit<32> rule
}

struct id_args {
	bit<32> id
}

struct route_args {
	bit<32> port
	bit<16> vid
	bit<48> src_addr
	bit<48> dst_addr
}

action no_action args none {
	return
}

action set_port args instanceof vid_args {
	mov m.vid t.vid
	return
}

action default_permit args none {
	return
}

action permit args instanceof rule_args {
	regadd acl_hits t.rule 1
	return
}

action deny args instanceof rule_args {
	regadd acl_hits t.rule 1
	return
}

action station args instanceof port_args {
	mov m.station_port t.port
	return
}

action forward args instanceof port_args {
	mov m.port_out t.port
	return
}

action set_nexthop args instanceof id_args {
	mov m.nexthop t.id
	return
}

action route args instanceof route_args {
	mov m.port_out t.port
	mov m.vid t.vid
	mov h.ethernet.src_addr t.src_addr
	mov h.ethernet.dst_addr t.dst_addr
	cksub h.ipv4.hdr_checksum h.ipv4.ttl
	sub h.ipv4.ttl 0x1
	ckadd h.ipv4.hdr_checksum h.ipv4.ttl
	return
}

action untagged args none {
	return
}

action tagged args none {
	validate h.vlan
	mov m.scratch m.tci
	or m.scratch m.out_vid
	mov h.vlan.tci m.scratch
	mov h.vlan.ethertype h.ethernet.ethertype
	mov h.ethernet.ethertype 0x8100
	return
}

%(tables)s
apply {
	rx m.port_in
	extract h.ethernet
	mov m.in_port m.port_in
	table port_config
	jmpnh PORT_UNKNOWN
	mov m.tci 0
	jmpneq UNTAGGED h.ethernet.ethertype 0x8100
	extract h.vlan
	mov m.tci h.vlan.tci
	mov m.scratch m.tci
	and m.tci 0xf000
	and m.scratch 0x0fff
	mov h.ethernet.ethertype h.vlan.ethertype
	invalidate h.vlan
	jmpeq UNTAGGED m.scratch 0
	mov m.vid m.scratch
	UNTAGGED : jmpneq OTHER h.ethernet.ethertype 0x0800
	extract h.ipv4
	mov m.l4_src 0
	mov m.l4_dst 0
	jmpneq PARSED h.ipv4.ver_ihl 0x45
	mov m.scratch h.ipv4.flags_offset
	and m.scratch 0x1fff
	jmpneq PARSED m.scratch 0
	jmpeq PORTS h.ipv4.protocol 6
	jmpneq PARSED h.ipv4.protocol 17
	PORTS : extract h.l4
	mov m.l4_src h.l4.src_port
	mov m.l4_dst h.l4.dst_port
	PARSED : table vlan_ingress
	jmpnh VLAN_INGRESS
	mov m.dst_mac h.ethernet.dst_addr
	mov m.src_mac h.ethernet.src_addr
	mov m.scratch m.dst_mac
	shr m.scratch 4
	jmpeq RESERVED_GROUP m.scratch 0x0180c200000
	mov m.scratch m.src_mac
	and m.scratch 0x010000000000
	jmpneq SOURCE_GROUP m.scratch 0
%(acl_key)s
	table acl_ipv4
	jmpa ACL deny
	mov m.learn_vid m.vid
	mov m.station_port 0xffffffff
	table smac
	jmpeq KNOWN m.station_port m.port_in
	regadd learn 0 1
	KNOWN : table router_mac
	jmpnh BRIDGE
	jmpneq IP_OPTIONS h.ipv4.ver_ihl 0x45
	validate h.sum
	mov h.sum.value 0xffff
	ckadd h.sum.value h.ipv4
	jmpneq IP_MALFORMED h.sum.value 0xffff
	jmplt TTL h.ipv4.ttl 2
	mov m.route_dst h.ipv4.dst_addr
	table ipv4_routes
	jmpnh NO_ROUTE
	table nexthop
	jmpnh NO_NEXTHOP
	jmp EGRESS
	BRIDGE : mov m.scratch m.dst_mac
	and m.scratch 0x010000000000
	jmpneq OTHER m.scratch 0
	table dmac
	jmpnh OTHER
	jmpeq SAME_PORT m.port_out m.port_in
	EGRESS : mov m.out_port m.port_out
	mov m.out_vid m.vid
	table vlan_egress
	jmpnh VLAN_EGRESS
	regadd port_out_packets m.port_out 1
	emit h.ethernet
	emit h.vlan
	emit h.ipv4
	emit h.l4
	tx m.port_out
	OTHER : regadd others 0 1
	drop
%(drops)s}
"""

# Numbered as l2l3's DropReason.
DROPS = {
    "PORT_UNKNOWN": 0, "VLAN_INGRESS": 1, "RESERVED_GROUP": 2, "SOURCE_GROUP": 3, "ACL": 4, "IP_MALFORMED": 6,
    "IP_OPTIONS": 7, "TTL": 8, "NO_ROUTE": 9, "NO_NEXTHOP": 10, "SAME_PORT": 11, "VLAN_EGRESS": 13,
}  # fmt: skip


def table_text(name, keys, actions, size, default="no_action"):
    fields = "".join(f"\t\t{field} {kind}\n" for field, kind in keys)
    listed = "".join(f"\t\t{action}\n" for action in dict.fromkeys([*actions, default]))
    return (
        f"table {name} {{\n\tkey {{\n{fields}\t}}\n\n\tactions {{\n{listed}\t}}\n\n"
        f"\tdefault_action {default} args none\n\n\tsize {size}\n}}\n\n"
    )


def number(text):
    return int(text, 16) if text.startswith("0x") else int(text)


def mac(text):
    return f"0x{int(text.replace(':', ''), 16):x}"


class Entries:
    """The lines of each table."""

    def __init__(self, exact):
        self.exact = exact
        self.lines = {}
        self.rule = 0

    def add(self, table, line):
        self.lines.setdefault(table, []).append(line)

    def command(self, table, action, keys, arguments):
        table = table.rpartition(".")[2]
        match table:
            case "port_config":
                self.add(table, f"match {keys[0]} action set_port vid {arguments[0]}")
            case "vlan_ingress":
                self.add(table, f"match {keys[0]} {keys[1]} action no_action")
            case "vlan_egress":
                self.add(table, f"match {keys[0]} {keys[1]} action {action}")
            case "router_mac":
                self.add(table, f"match {keys[0]} {mac(keys[1])} action no_action")
            case "smac" | "dmac":
                self.add(table, f"match {keys[0]} {mac(keys[1])} action {action} port {arguments[0]}")
            case "nexthop":
                port, vid, src, dst = arguments
                addresses = f"src_addr {mac(src)} dst_addr {mac(dst)}"
                self.add(table, f"match {keys[0]} action route port {port} vid {vid} {addresses}")
            case "ipv4_host":
                self.add("ipv4_routes", f"match {int(ipaddress.IPv4Address(keys[0]))} action set_nexthop id {arguments[0]}")
            case "ipv4_lpm":
                address, length = keys[0].split("/")
                bits = int(ipaddress.IPv4Address(address))
                mask = (1 << 32) - (1 << (32 - int(length)))
                value = f"match 0/0 0x{bits:x}/0x{mask:x} priority {32 - int(length)}"
                self.add("ipv4_routes", f"{value} action set_nexthop id {arguments[0]}")
            case "acl_ipv4" if self.exact:
                self.add(table, f"match {keys[0]} {keys[1]} action {action} rule {self.rule}")
                self.rule += 1
            case "acl_ipv4":
                pairs = [[number(part) for part in key.split("&&&")] for key in keys]
                port, src, dst, protocol, l4_src, l4_dst = (f"0x{value:x}/0x{mask:x}" for value, mask in pairs)
                key = f"{protocol} {src} {dst} {port} {l4_dst} {l4_src} 0/0"
                self.add(table, f"match {key} priority {arguments[0]} action {action} rule {self.rule}")
                self.rule += 1
            case _:
                raise SystemExit(f"{table}: a table that the pipeline program does not have")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workload", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    about = json.loads((options.workload / "workload.json").read_text(encoding="utf-8"))
    exact = about["exact"]
    entries = Entries(exact)
    with open(options.workload / "entries.txt", encoding="utf-8") as commands:
        for line in commands:
            words = line.partition("#")[0].split()
            if words:
                arrow = words.index("=>")
                entries.command(words[1], words[2], words[3:arrow], words[arrow + 1 :])

    keys = {
        "port_config": (["m.in_port"], "set_port"),
        "vlan_ingress": (["m.in_port", "m.vid"], "no_action"),
        "smac": (["m.learn_vid", "m.src_mac"], "station"),
        "router_mac": (["m.vid", "m.dst_mac"], "no_action"),
        "dmac": (["m.vid", "m.dst_mac"], "forward"),
        "nexthop": (["m.nexthop"], "route"),
    }
    tables = "".join(
        table_text(name, [(field, "exact") for field in fields], [action], max(len(entries.lines[name]), 64))
        for name, (fields, action) in keys.items()
    )
    egress = [("m.out_port", "exact"), ("m.out_vid", "exact")]
    tables += table_text("vlan_egress", egress, ["untagged", "tagged"], max(len(entries.lines["vlan_egress"]), 64))
    kind = "exact" if exact else "wildcard"
    if exact:
        acl, acl_key = ["m.acl_port", "m.l4_dst"], "\tmov m.acl_port h.ipv4.protocol"
        routes = ["m.route_dst"]
    else:
        acl = ["m.protocol", "m.src_addr", "m.dst_addr", "m.acl_port", "m.l4_dst", "m.l4_src", "m.pad"]
        acl_key = "\n".join(
            "\t" + line
            for line in (
                "mov m.protocol h.ipv4.protocol", "mov m.src_addr h.ipv4.src_addr", "mov m.dst_addr h.ipv4.dst_addr",
                "mov m.acl_port m.in_port", "mov m.pad 0", "mov m.route_pad 0",
            )
        )  # fmt: skip
        routes = ["m.route_pad", "m.route_dst"]
    tables += table_text(
        "acl_ipv4", [(f, kind) for f in acl], ["permit", "deny"], max(len(entries.lines["acl_ipv4"]), 128), "default_permit"
    )
    tables += table_text("ipv4_routes", [(f, kind) for f in routes], ["set_nexthop"], len(entries.lines["ipv4_routes"]))
    drops = "".join(f"\t{label} : regadd drops {number} 1\n\tdrop\n" for label, number in DROPS.items())

    options.out.mkdir(parents=True, exist_ok=True)
    spec = SPEC % {"tables": tables, "acl_key": acl_key, "drops": drops}
    (options.out / "l2l3.spec").write_text(spec, encoding="utf-8")
    for name, lines in entries.lines.items():
        (options.out / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (options.out / "tables").write_text("\n".join(entries.lines) + "\n", encoding="utf-8")
    ports = [f"port in {port} ring IN{port} bsz 32\n" for port in range(PORTS)]
    ports += [f"port out {port} ring OUT{port} bsz 32\n" for port in range(PORTS)]
    (options.out / "rings.io").write_text("".join(ports), encoding="utf-8")


if __name__ == "__main__":
    main()
