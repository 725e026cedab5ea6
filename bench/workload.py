#!/usr/bin/env python3
"""Writes a seeded workload for p4/programs/l2l3: entries and captures.

    workload.py --out DIR [--routes N] [--family 4|6] [--exact] [--flows K] [--seed S]

DIR gets entries.txt (runtime commands), in.P.pcap for each of the eight ports, and
workload.json (what is in it, and the macros that the program wants: `-D N=V`).

The site: ports 0 to 6 are access ports, each in one of four VLANs; port 7 is a trunk that
carries all four, tagged. 1,000 stations are spread over the ports; the router is
02:00:00:00:00:fe in every VLAN. 64 next hops lead to stations; each route has one at random.

Lengths of prefixes: the shares of the global BGP tables, rounded. Of the nearly one million IPv4
routes of the year 2024, about 60 % were a /24, 11 % a /22, 10 % a /23, and the shares fall towards
the shorter ones except for a small rise at /16; of the IPv6 routes about 47 % were a /48 and 12 % a
/32 (G. Huston, "BGP in 2024", https://labs.apnic.net/?p=1950, and the tables that it links). About
half of the real routes are more specific than another one; here every second route is placed
inside a shorter one.

Frames have 60 bytes (64 with FCS), more where headers need it. Each flow is one frame: 90 % are
routed to a random address in a random route, 9 % are bridged to a known station, 1 % are denied by
an access list. All sources are known stations. A flow that would meet no route, or that would be
bridged to where it came from, is drawn again.

--exact is for switches without longest prefixes and ternary keys: DIR gets l2l3_exact.p4 too, which
is l2l3 with routes to single addresses and an access list that matches protocol and destination
port exactly.

Same arguments, same files. Standard library only.
"""

import argparse
import ipaddress
import json
import random
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "scripts"))

import pcap_file

PORTS = 8
TRUNK = 7
VLANS = (10, 11, 12, 13)
STATIONS = 1000
NEXTHOPS = 64
ACL_RULES = 100
ROUTER_MAC = 0x0200000000FE
FRAME = 60  # bytes without FCS
TCP, UDP = 6, 17

# Percent of routes by prefix length.
SHARES = {
    4: {
        8: 0.02, 9: 0.02, 10: 0.05, 11: 0.1, 12: 0.1, 13: 0.1, 14: 0.2, 15: 0.2, 16: 1.4, 17: 0.9, 18: 1.5,
        19: 2.6, 20: 4.7, 21: 5.2, 22: 11.4, 23: 10.2, 24: 60.5, 25: 0.2, 26: 0.2, 27: 0.15, 28: 0.15, 29: 0.06,
        30: 0.03, 32: 0.02,
    },
    6: {
        20: 0.05, 24: 0.1, 28: 0.2, 29: 2.6, 30: 0.4, 31: 0.3, 32: 12.0, 33: 2.5, 34: 2.3, 35: 1.2, 36: 4.6,
        37: 0.8, 38: 1.6, 39: 0.8, 40: 9.0, 41: 0.8, 42: 2.2, 43: 0.6, 44: 9.5, 45: 1.0, 46: 2.6, 47: 2.2,
        48: 46.5, 52: 0.05, 56: 0.3, 64: 0.4, 128: 0.1,
    },
}  # fmt: skip


def vlan_of(port):
    """The VLAN of an access port."""
    return VLANS[port % len(VLANS)]


def mac_text(mac):
    return ":".join(f"{byte:02x}" for byte in mac.to_bytes(6, "big"))


class Stations:
    """MAC addresses with their VLAN and port."""

    def __init__(self, rng):
        self.all = []
        for number in range(STATIONS):
            port = number % PORTS
            vlan = vlan_of(port) if port != TRUNK else rng.choice(VLANS)
            # A random vendor prefix out of twenty, as in a real site.
            vendor = 0x020000 | (0x000C35 * rng.randrange(1, 21))
            self.all.append((vlan, vendor << 24 | number << 4 | rng.randrange(16), port))
        self.by_port = {p: [s for s in self.all if s[2] == p] for p in range(PORTS)}
        self.by_vlan = {v: [s for s in self.all if s[0] == v] for v in VLANS}


def draw_lengths(rng, family, count):
    """`count` prefix lengths with the shares above, shuffled; no length more than it has room for."""
    shares = SHARES[family]
    total = sum(shares.values())
    lengths = []
    for length, share in shares.items():
        room = 1 << min(length - 3, 40)
        lengths += [length] * min(round(count * share / total), room // 4)
    fill = 24 if family == 4 else 48
    lengths = lengths[:count] + [fill] * (count - len(lengths))
    return lengths


def unicast(rng, family, length):
    """A random prefix of this length in the range of global unicast addresses."""
    if family == 4:
        while True:
            address = rng.getrandbits(32)
            if 1 <= address >> 24 <= 223 and address >> 24 not in (10, 127):
                break
        return address >> (32 - length) << (32 - length)
    address = 1 << 125 | rng.getrandbits(125)  # 2000::/3
    return address >> (128 - length) << (128 - length)


def routes(rng, family, count):
    """`count` distinct (address, length, next hop); every second inside a shorter one."""
    bits = 32 if family == 4 else 128
    lengths = sorted(draw_lengths(rng, family, count))
    found, placed = {}, []
    for length in lengths:
        while True:
            if placed and rng.random() < 0.5:
                base, outer = placed[rng.randrange(len(placed))]
                if outer >= length:
                    continue
                inside = rng.getrandbits(length - outer) << (bits - length)
                key = (base | inside, length)
            else:
                key = (unicast(rng, family, length), length)
            if key not in found:
                break
        found[key] = rng.randrange(1, NEXTHOPS + 1)
        # Few are inside a /24 or a /48: they are rarely carved up.
        if length < (24 if family == 4 else 48):
            placed.append(key)
    return [(address, length, hop) for (address, length), hop in found.items()]


class AccessList:
    """100 ternary rules: (port, src, dst, protocol, l4 src, l4 dst), each (value, mask), and permit
    or deny. The first that matches decides."""

    def __init__(self, rng, family, destinations):
        bits = 32 if family == 4 else 128
        any_of = (0, 0)

        def exact(value, width):
            return value, (1 << width) - 1

        def prefix(address, length):
            mask = (1 << bits) - (1 << (bits - length))
            return address & mask, mask

        short, long = (16, 24) if family == 4 else (32, 48)
        self.rules = []
        while len(self.rules) < ACL_RULES:
            n = len(self.rules)
            server = prefix(rng.choice(destinations), long)
            client = prefix(unicast(rng, family, short), short)
            service = exact(rng.choice((22, 25, 53, 80, 123, 143, 443, 853, 993, 3306, 5432, 8080, 8443)), 16)
            port = exact(rng.randrange(PORTS), 9)
            kind = n % 5
            if kind == 0:  # a service of a network is open
                rule = (any_of, any_of, server, exact(rng.choice((TCP, UDP)), 8), any_of, service, "permit")
            elif kind == 1:  # nobody from this network
                rule = (any_of, client, any_of, any_of, any_of, any_of, "deny")
            elif kind == 2:  # a network that only answers to well-known ports
                rule = (any_of, any_of, server, exact(UDP, 8), any_of, (0xC000, 0xC000), "deny")
            elif kind == 3:  # a service that does not cross the site
                number = exact(rng.randrange(1, 1024) | 0x1, 16)
                rule = (any_of, any_of, any_of, exact(rng.choice((TCP, UDP)), 8), any_of, number, "deny")
            else:  # a network that belongs to one port
                rule = (port, client, any_of, any_of, any_of, any_of, "deny")
            if rule not in self.rules:
                self.rules.append(rule)

    def decide(self, packet):
        """The number of the rule that matches `packet`, or None."""
        for number, rule in enumerate(self.rules):
            if all(value == field & mask for field, (value, mask) in zip(packet, rule[:6])):
                return number
        return None


class ExactList:
    """100 pairs of protocol and destination port; 20 deny."""

    def __init__(self, rng):
        pairs = set()
        while len(pairs) < ACL_RULES:
            pairs.add((rng.choice((TCP, UDP)), rng.randrange(1, 10000)))
        self.rules = [(pair, "deny" if n % 5 == 0 else "permit") for n, pair in enumerate(sorted(pairs))]
        self.by_pair = {pair: n for n, (pair, _) in enumerate(self.rules)}

    def decide(self, packet):
        return self.by_pair.get((packet[3], packet[5]))


def entries(out, options, stations, table, acl, hops):
    """Writes the commands."""
    family = options.family
    write = out.write
    write(f"# Written by bench/workload.py: {len(table)} IPv{family} routes, seed {options.seed}\n")
    for port in range(PORTS):
        pvid = 1 if port == TRUNK else vlan_of(port)
        write(f"table_add ingress.port_config set_port {port} => {pvid}\n")
        for vlan in VLANS if port == TRUNK else (vlan_of(port),):
            tag = "tagged" if port == TRUNK else "untagged"
            write(f"table_add ingress.vlan_ingress NoAction {port} {vlan} =>\n")
            write(f"table_add egress.vlan_egress {tag} {port} {vlan} =>\n")
    for vlan in VLANS:
        write(f"table_add ingress.router_mac NoAction {vlan} {mac_text(ROUTER_MAC)} =>\n")
    for vlan, mac, port in stations.all:
        write(f"table_add ingress.smac station {vlan} {mac_text(mac)} => {port}\n")
        write(f"table_add ingress.dmac forward {vlan} {mac_text(mac)} => {port}\n")
    for number, (vlan, mac, port) in enumerate(hops, 1):
        write(
            f"table_add ingress.nexthop route {number} => {port} {vlan} {mac_text(ROUTER_MAC)} {mac_text(mac)}\n"
        )
    show = ipaddress.IPv4Address if family == 4 else ipaddress.IPv6Address
    if options.exact:
        for (protocol, number), action in acl.rules:
            write(f"table_add ingress.acl_ipv{family} {action} {protocol} {number} =>\n")
        for address, _, hop in table:
            write(f"table_add ingress.ipv{family}_host set_nexthop {show(address)} => {hop}\n")
        return
    for priority, rule in enumerate(acl.rules, 1):
        *fields, action = rule
        if family == 6:
            del fields[4]  # acl_ipv6 has no source port
        keys = " ".join(f"{value:#x}&&&{mask:#x}" for value, mask in fields)
        write(f"table_add ingress.acl_ipv{family} {action} {keys} => {priority}\n")
    if family == 4:
        for address, length, hop in table:
            text = f"{address >> 24}.{address >> 16 & 255}.{address >> 8 & 255}.{address & 255}"
            write(f"table_add ingress.ipv4_lpm set_nexthop {text}/{length} => {hop}\n")
    else:
        for address, length, hop in table:
            write(f"table_add ingress.ipv6_lpm set_nexthop {show(address)}/{length} => {hop}\n")


# l2l3 and what replaces it in l2l3_exact: each pattern is there once.
EXACT = (
    (
        """            standard_metadata.ingress_port: ternary;
            hdr.ipv4.srcAddr: ternary;
            hdr.ipv4.dstAddr: ternary;
            hdr.ipv4.protocol: ternary;
            meta.l4_src: ternary;
            meta.l4_dst: ternary;
""",
        """            hdr.ipv4.protocol: exact;
            meta.l4_dst: exact;
""",
    ),
    ("table ipv4_lpm {", "table ipv4_host {"),
    ("switch (ipv4_lpm.apply()", "switch (ipv4_host.apply()"),
    ("hdr.ipv4.dstAddr: lpm;", "hdr.ipv4.dstAddr: exact;"),
)


def exact_program():
    """l2l3 with exact tables for IPv4."""
    path = Path(__file__).resolve().parent.parent / "p4/programs/l2l3/l2l3.p4"
    text = path.read_text(encoding="utf-8")
    for old, new in EXACT:
        if text.count(old) != 1:
            raise SystemExit(f"{path}: expected once: {old}")
        text = text.replace(old, new)
    return "// Made from l2l3.p4 by bench/workload.py --exact.\n" + text


def checksum(data):
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


class Frames:
    """Draws flows."""

    def __init__(self, rng, options, stations, table, acl):
        self.rng, self.stations, self.table, self.acl = rng, stations, table, acl
        self.family, self.bits = options.family, 32 if options.family == 4 else 128
        self.rules_used = {}

    def destination(self):
        """A random address in a random route."""
        address, length, _ = self.table[self.rng.randrange(len(self.table))]
        return address | self.rng.getrandbits(self.bits - length) if length < self.bits else address

    def towards(self, action):
        """Fields that a random rule with this action probably matches."""
        rng = self.rng
        rules = [rule for rule in self.acl.rules if rule[-1] == action]
        rule = rules[rng.randrange(len(rules))]
        if isinstance(self.acl, ExactList):
            (protocol, number), _ = rule
            return {"protocol": protocol, "l4_dst": number}
        port, src, dst, protocol, _, number = rule[:6]
        fields = {}
        for name, (value, mask), width in (
            ("port", port, 9), ("src", src, self.bits), ("dst", dst, self.bits),
            ("protocol", protocol, 8), ("l4_dst", number, 16),
        ):  # fmt: skip
            if mask:
                fields[name] = value | rng.getrandbits(width) & ~mask
        return fields

    def flow(self, kind):
        """(port, frame) of a flow, or None if it would be something else than `kind`."""
        rng = self.rng
        wish = {}
        if kind == "denied":
            wish = self.towards("deny")
        elif rng.random() < 0.3:
            wish = self.towards("permit")
        port = wish.get("port", rng.randrange(PORTS))
        vlan, source_mac, _ = rng.choice(self.stations.by_port[port])
        src = wish.get("src", unicast(rng, self.family, self.bits))
        dst = wish.get("dst") or self.destination()
        protocol = wish.get("protocol", TCP if rng.random() < 0.7 else UDP)
        l4_src = rng.randrange(1024, 65536)
        l4_dst = wish.get("l4_dst", rng.choice((80, 443)) if rng.random() < 0.6 else rng.randrange(1024, 49152))
        if kind == "bridged":
            _, target, out = rng.choice(self.stations.by_vlan[vlan])
            if out == port:
                return None
        else:
            target = ROUTER_MAC
        rule = self.acl.decide((port, src, dst, protocol, l4_src, l4_dst))
        denied = rule is not None and self.acl.rules[rule][-1] == "deny"
        if denied != (kind == "denied") or (kind == "routed" and not self.covered(dst)):
            return None
        frame = self.frame(port, vlan, source_mac, target, src, dst, protocol, l4_src, l4_dst)
        if frame is None:
            return None
        self.rules_used[rule] = self.rules_used.get(rule, 0) + 1
        return port, frame

    def covered(self, address):
        """Whether a route has the address. Those drawn from routes always have one."""
        if not hasattr(self, "index"):
            self.index = {}
            for prefix, length, _ in self.table:
                self.index.setdefault(length, set()).add(prefix)
        return any((address >> (self.bits - n) << (self.bits - n)) in found for n, found in self.index.items())

    def frame(self, port, vlan, source_mac, target, src, dst, protocol, l4_src, l4_dst):
        rng = self.rng
        tag = struct.pack(">HH", 0x8100, vlan) if port == TRUNK else b""
        ethernet = target.to_bytes(6, "big") + source_mac.to_bytes(6, "big") + tag
        l4 = struct.pack(">HH", l4_src, l4_dst)
        if self.family == 4:
            total = FRAME - len(ethernet) - 2
            head = struct.pack(">BBHHHBB", 0x45, 0, total, rng.getrandbits(16), 0x4000, rng.randrange(2, 129), protocol)
            addresses = src.to_bytes(4, "big") + dst.to_bytes(4, "big")
            summed = checksum(head + addresses)
            if summed == 0xFEFF:
                # With the TTL one less it is 0, which as a ones' complement sum is also 0xffff. That is
                # what DPDK's pipeline sends, and outputs could not be compared bit by bit.
                return None
            network = b"\x08\x00" + head + summed.to_bytes(2, "big") + addresses
        else:
            payload = max(FRAME - len(ethernet) - 42, 4)
            head = struct.pack(">IHBB", 0x60000000 | rng.getrandbits(20), payload, protocol, rng.randrange(2, 129))
            network = b"\x86\xdd" + head + src.to_bytes(16, "big") + dst.to_bytes(16, "big")
        frame = ethernet + network + l4
        return frame + rng.randbytes(max(FRAME - len(frame), 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--routes", type=int, default=10_000)
    parser.add_argument("--family", type=int, choices=(4, 6), default=4)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--flows", type=int, default=65_536)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not 1 <= options.routes <= 2_000_000:
        parser.error("--routes: from 1 to 2,000,000")
    rng = random.Random(f"{options.seed} {options.routes} {options.family} {options.exact}")

    stations = Stations(rng)
    hops = rng.sample(stations.all, NEXTHOPS)
    if options.exact:
        bits = 32 if options.family == 4 else 128
        hosts = {unicast(rng, options.family, bits): None for _ in range(options.routes)}
        table = [(address, bits, rng.randrange(1, NEXTHOPS + 1)) for address in hosts]
        acl = ExactList(rng)
    else:
        table = routes(rng, options.family, options.routes)
        acl = AccessList(rng, options.family, [address for address, _, _ in table])
    rng.shuffle(table)

    frames = Frames(rng, options, stations, table, acl)
    kinds = {"routed": round(options.flows * 0.90), "bridged": round(options.flows * 0.09)}
    kinds["denied"] = options.flows - sum(kinds.values())
    order = [kind for kind, count in kinds.items() for _ in range(count)]
    rng.shuffle(order)
    captures = {port: [] for port in range(PORTS)}
    for number, kind in enumerate(order):
        flow = None
        while flow is None:
            flow = frames.flow(kind)
        captures[flow[0]].append((number, flow[1]))

    options.out.mkdir(parents=True, exist_ok=True)
    with open(options.out / "entries.txt", "w", encoding="utf-8") as out:
        entries(out, options, stations, table, acl, hops)
    for port, packets in captures.items():
        pcap_file.write(options.out / f"in.{port}.pcap", packets)
    if options.exact:
        (options.out / "l2l3_exact.p4").write_text(exact_program(), encoding="utf-8")
    lengths = {}
    for _, length, _ in table:
        lengths[length] = lengths.get(length, 0) + 1
    size = 1 << max(options.routes - 1, 4095).bit_length()
    about = {
        "family": options.family,
        "routes": len(table),
        "exact": options.exact,
        "flows": options.flows,
        "seed": options.seed,
        "mix": kinds,
        "tagged": len(captures[TRUNK]) / options.flows,
        "flows_that_match_an_acl_rule": sum(n for rule, n in frames.rules_used.items() if rule is not None),
        "acl_rules_matched": sum(rule is not None for rule in frames.rules_used),
        "routes_by_length": dict(sorted(lengths.items())),
        "defines": [f"IPV{options.family}_ROUTES={size}"],
    }
    (options.out / "workload.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
