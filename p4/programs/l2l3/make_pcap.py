#!/usr/bin/env python3
"""Writes in.N.pcap and, from a model of the switch, expected.N.pcap.

The model states in Python what l2l3.p4 is meant to do; it shares only
entries.txt with the program, and scapy computes its checksums. Needs scapy
2.8.0; the output never changes.
"""

import random
import sys
from collections import Counter
from pathlib import Path

from scapy.all import ARP, ICMP, IP, LLC, STP, TCP, UDP, Dot1Q, Dot3, Ether, ICMPv6EchoRequest, IPOption, IPv6, Raw

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "scripts"))

import pcap_file
import runtime_entries

PORTS = (0, 1, 2, 3, 4)
ROUTER = "02:00:00:00:00:fe"
UPSTREAM = "02:00:00:00:04:01"
# name: (port, VLAN, tagged, MAC, IPv4, IPv6)
HOSTS = {
    "A": (0, 10, False, "02:00:00:00:10:11", "10.0.10.11", "2001:db8:10::11"),
    "B": (1, 10, False, "02:00:00:00:10:12", "10.0.10.12", "2001:db8:10::12"),
    "C": (2, 20, False, "02:00:00:00:20:21", "10.0.20.21", "2001:db8:20::21"),
    "D": (3, 10, True, "02:00:00:00:10:13", "10.0.10.13", "2001:db8:10::13"),
    "E": (3, 20, True, "02:00:00:00:20:22", "10.0.20.22", "2001:db8:20::22"),
    "U": (4, 4000, False, UPSTREAM, "198.51.100.7", "2620:0:2d0:200::7"),
}
SIZES = [60, 64, 128, 256, 512, 594, 1024, 1280, 1514]  # without FCS


def pad(rng, frame, size):
    """`frame` filled up with random payload to `size` bytes."""
    missing = size - len(frame)
    return frame / Raw(rng.randbytes(missing)) if missing > 0 else frame


def ordinary(rng, number):
    """`number` flows between hosts that all are in the tables."""
    frames = []
    names = list(HOSTS)
    for _ in range(number):
        source, target = rng.sample(names, 2)
        port, vid, tagged, mac, ip4, ip6 = HOSTS[source]
        _, target_vid, _, target_mac, target_ip4, target_ip6 = HOSTS[target]
        ether = Ether(src=mac, dst=target_mac if vid == target_vid else ROUTER)
        if tagged:
            ether /= Dot1Q(vlan=vid, prio=rng.randrange(8))
        size = rng.choice(SIZES)
        if rng.random() < 0.7:
            network = IP(src=ip4, dst=target_ip4, ttl=rng.choice([2, 3, 64, 128, 255]), id=rng.randrange(65536), tos=rng.choice([0, 0, 0xB8]))
        else:
            network = IPv6(src=ip6, dst=target_ip6, hlim=rng.choice([2, 64, 255]), fl=rng.randrange(1 << 20))
        kind = rng.randrange(4)
        if kind == 0:
            upper = UDP(sport=rng.randrange(1024, 65536), dport=rng.choice([53, 69, 123, 4789]))
        elif kind == 1 and isinstance(network, IP):
            upper = ICMP(id=rng.randrange(65536))
        elif kind == 1:
            upper = ICMPv6EchoRequest(id=rng.randrange(65536))
        else:
            upper = TCP(sport=rng.randrange(1024, 65536), dport=rng.choice([22, 23, 80, 443, 443]), flags=rng.choice(["S", "A", "PA"]), seq=rng.randrange(1 << 32))
        frames.append((port, pad(rng, ether / network / upper, size)))
    return frames


def edge_cases(rng):
    """The cases that a switch gets wrong first."""
    a, b = HOSTS["A"], HOSTS["B"]
    from_a = Ether(src=a[3], dst=ROUTER)
    bridged = Ether(src=a[3], dst=b[3])
    udp = UDP(sport=5000, dport=5001) / Raw(b"edge case payload")
    lpm = ["198.51.100.1", "198.51.100.127", "198.51.100.128", "198.51.100.199", "198.51.100.200", "198.51.100.201",
           "198.51.100.255", "198.51.101.0", "10.0.10.99", "172.16.5.5", "172.32.0.1", "8.8.8.8"]  # fmt: skip
    frames = [(0, from_a / IP(src=a[4], dst=address) / udp) for address in lpm]
    for ttl in (0, 1, 2, 255):
        frames.append((0, from_a / IP(src=a[4], dst="8.8.8.8", ttl=ttl) / udp))
        frames.append((0, from_a / IPv6(src=a[5], dst="2620::1", hlim=ttl) / udp))
        frames.append((0, bridged / IP(src=a[4], dst=b[4], ttl=ttl) / udp))
    good = IP(src=a[4], dst="8.8.8.8")
    for link in (from_a, bridged):
        frames += [
            (0, link / IP(src=a[4], dst="8.8.8.8", chksum=0xBEEF) / udp),
            (0, link / IP(src=a[4], dst="8.8.8.8", chksum=0) / udp),
            (0, link / IP(src=a[4], dst="8.8.8.8", version=5) / udp),
            (0, link / IP(src=a[4], dst="8.8.8.8", ihl=4) / udp),
            (0, link / IP(src=a[4], dst="8.8.8.8", options=[IPOption(b"\x94\x04\x00\x00")]) / udp),
            (0, link / IP(src=a[4], dst="8.8.8.8", frag=185, flags="MF", proto=17) / Raw(rng.randbytes(100))),
            (0, Raw(bytes(link / good)[:33])),
            (0, Raw(bytes(link / good / udp)[:36])),
            (0, Raw(bytes(link / IPv6(src=a[5], dst="2620::1"))[:53])),
            (0, Ether(src=a[3], dst=link.dst, type=0x8137) / Raw(b"IPX, perhaps")),
        ]
    # The checksum's ends: TTL and protocol make the sum wrap around to 0 and to 0xffff.
    for identification in range(0, 65536, 8191):
        frames.append((0, from_a / IP(src=a[4], dst="203.0.113.77", id=identification, ttl=1 + identification % 254) / udp))
    # ARP: for the router, for a host, in reply, for another protocol.
    ask = {"op": 1, "hwsrc": a[3], "psrc": a[4]}
    broadcast = Ether(src=a[3], dst="ff:ff:ff:ff:ff:ff")
    frames += [
        (0, pad(rng, broadcast / ARP(pdst="10.0.10.1", **ask), 60)),
        (0, pad(rng, broadcast / ARP(pdst="10.0.20.1", **ask), 60)),
        (0, pad(rng, broadcast / ARP(pdst=b[4], **ask), 60)),
        (1, pad(rng, Ether(src=b[3], dst=a[3]) / ARP(op=2, hwsrc=b[3], psrc=b[4], hwdst=a[3], pdst=a[4]), 60)),
        (0, pad(rng, broadcast / ARP(pdst="10.0.10.1", **(ask | {"op": 2})), 60)),
        (0, pad(rng, broadcast / ARP(pdst="10.0.10.1", hwlen=8, **ask), 60)),
        (3, pad(rng, Ether(src=HOSTS["D"][3], dst="ff:ff:ff:ff:ff:ff") / Dot1Q(vlan=10, prio=5) / ARP(op=1, hwsrc=HOSTS["D"][3], psrc=HOSTS["D"][4], pdst="10.0.10.1"), 60)),
        (4, pad(rng, Ether(src=UPSTREAM, dst=ROUTER) / ARP(op=1, hwsrc=UPSTREAM, psrc="203.0.113.1", pdst="203.0.113.2"), 60)),
        (0, pad(rng, Ether(src=a[3], dst=ROUTER) / ARP(op=2, hwsrc=a[3], psrc=a[4], hwdst=ROUTER, pdst="10.0.10.1"), 60)),
    ]
    # Bridging: unknown, group, broadcast, own port, reserved, wrong VLAN, wrong port.
    payload = IP(src=a[4], dst="10.0.10.250") / udp
    frames += [
        (0, Ether(src=a[3], dst="02:00:00:00:99:99") / payload),
        (2, Ether(src=HOSTS["C"][3], dst="02:00:00:00:99:99") / payload),
        (3, Ether(src=HOSTS["D"][3], dst="02:00:00:00:99:99") / Dot1Q(vlan=10, prio=3, id=1) / payload),
        (4, Ether(src=UPSTREAM, dst="02:00:00:00:99:99") / IP(src="203.0.113.1", dst="203.0.113.9") / udp),
        (4, Ether(src=UPSTREAM, dst="ff:ff:ff:ff:ff:ff") / IP(src="203.0.113.1", dst="255.255.255.255") / udp),
        (0, Ether(src=a[3], dst="01:00:5e:01:02:03") / IP(src=a[4], dst="239.1.2.3", ttl=1) / udp),
        (1, Ether(src=b[3], dst="33:33:00:00:00:01") / IPv6(src=b[5], dst="ff02::1", hlim=255) / ICMPv6EchoRequest()),
        (0, Ether(src=a[3], dst=a[3]) / payload),
        (3, Ether(src=HOSTS["D"][3], dst=HOSTS["D"][3]) / Dot1Q(vlan=10) / payload),
        (0, Dot3(src=a[3], dst="01:80:c2:00:00:00") / LLC(dsap=0x42, ssap=0x42, ctrl=3) / STP()),
        (0, pad(rng, Ether(src=a[3], dst="01:80:c2:00:00:0e", type=0x88CC), 60)),
        (0, pad(rng, Ether(src=a[3], dst="01:80:c2:00:00:10", type=0x88CC), 60)),
        (0, Ether(src="03:00:00:00:10:11", dst=b[3]) / payload),
        (3, Ether(src=HOSTS["D"][3], dst=b[3]) / payload),
        (3, Ether(src=HOSTS["D"][3], dst=b[3]) / Dot1Q(vlan=30) / payload),
        (0, Ether(src=a[3], dst=b[3]) / Dot1Q(vlan=10, prio=6) / payload),
        (0, Ether(src=a[3], dst=b[3]) / Dot1Q(vlan=20) / payload),
        (0, Ether(src=a[3], dst=HOSTS["D"][3]) / Dot1Q(vlan=0, prio=7) / payload),
        (3, Ether(src=HOSTS["D"][3], dst=b[3]) / Dot1Q(vlan=10) / Dot1Q(vlan=99) / payload),
        (3, Raw(bytes(Ether(src=HOSTS["D"][3], dst=b[3]) / Dot1Q(vlan=10))[:16])),
        (1, Ether(src=a[3], dst=HOSTS["D"][3]) / payload),
        (0, pad(rng, Ether(src=a[3], dst=b[3], type=0x88B5), 1514)),
        (0, Ether(src=a[3], dst=b[3], type=0x88B5)),
    ]
    # The access lists, on bridged and on routed packets.
    c, e, u = HOSTS["C"], HOSTS["E"], HOSTS["U"]
    frames += [
        (0, from_a / IP(src=a[4], dst=c[4]) / TCP(dport=443)),
        (0, from_a / IP(src=a[4], dst=c[4]) / TCP(dport=444)),
        (0, from_a / IP(src=a[4], dst=c[4]) / UDP(dport=443)),
        (0, from_a / IP(src=a[4], dst=c[4], frag=8, proto=6) / Raw(rng.randbytes(64))),
        (3, Ether(src=e[3], dst=c[3]) / Dot1Q(vlan=20) / IP(src=e[4], dst=c[4]) / TCP(dport=80)),
        (0, bridged / IP(src=a[4], dst=b[4]) / UDP(dport=69)),
        (0, bridged / IP(src=a[4], dst=b[4]) / UDP(sport=69, dport=70)),
        (0, bridged / IP(src=a[4], dst=b[4]) / TCP(dport=69)),
        (4, Ether(src=UPSTREAM, dst=ROUTER) / IP(src="10.1.1.1", dst=c[4]) / TCP(dport=443)),
        (4, Ether(src=UPSTREAM, dst=ROUTER) / IP(src="11.1.1.1", dst=c[4]) / TCP(dport=443)),
        (4, Ether(src=UPSTREAM, dst=ROUTER) / IPv6(src="2001:db8:10::11", dst=c[5]) / udp),
        (4, Ether(src=UPSTREAM, dst=ROUTER) / IPv6(src=u[5], dst=c[5]) / udp),
        (0, from_a / IPv6(src=a[5], dst=c[5]) / TCP(dport=23)),
        (0, from_a / IPv6(src=a[5], dst="2001:db8:30::1") / udp),
    ]
    return frames


class Dropped(Exception):
    """Why a packet went no further: a name of the program's DropReason."""


class Model:
    """What l2l3.p4 means."""

    def __init__(self, entries):
        self.entries = entries
        self.drops = Counter()
        self.learnt = 0

    def process(self, port, frame):
        """Returns [(port, frame)]: what leaves, and where."""
        try:
            return self.forward(port, frame)
        except Dropped as reason:
            self.drops[str(reason)] += 1
            return []

    def forward(self, port, frame):
        config = self.entries.find("ingress.port_config", ("exact", 9, port))
        if config is None:
            raise Dropped("PORT_UNKNOWN")
        vid, tci_flags, rest = config.numbers[0], 0, frame[12:]
        if rest[:2] == b"\x81\x00" and len(rest) >= 6:
            tci = int.from_bytes(rest[2:4], "big")
            tci_flags = tci & 0xF000
            vid = tci & 0x0FFF or vid
            rest = rest[4:]
        if not self.entries.find("ingress.vlan_ingress", ("exact", 9, port), ("exact", 12, vid)):
            raise Dropped("VLAN_INGRESS")
        dst, src, ethertype, payload = frame[:6], frame[6:12], rest[:2], rest[2:]
        if dst[:5] == b"\x01\x80\xc2\x00\x00" and dst[5] < 16:
            raise Dropped("RESERVED_GROUP")
        if src[0] & 1:
            raise Dropped("SOURCE_GROUP")

        # The parser skips nothing after a tag whose content is another tag.
        ipv4 = ethertype == b"\x08\x00" and len(payload) >= 20
        ipv6 = ethertype == b"\x86\xdd" and len(payload) >= 40
        arp = ethertype == b"\x08\x06" and len(payload) >= 28
        self.access_lists(port, ipv4, ipv6, payload)

        known = self.entries.find("ingress.smac", ("exact", 12, vid), ("exact", 48, int.from_bytes(src, "big")))
        if known is None or known.numbers[0] != port:
            self.learnt += 1

        if arp and payload[:8] == bytes.fromhex("0001080006040001"):
            asked = int.from_bytes(payload[24:28], "big")
            ours = self.entries.find("ingress.arp_responder", ("exact", 12, vid), ("exact", 32, asked))
            if ours:
                mac = ours.numbers[0].to_bytes(6, "big")
                sender = payload[8:18]
                reply = bytes.fromhex("0001080006040002") + mac + payload[24:28] + sender + payload[28:]
                return self.leave(port, vid, tci_flags, sender[:6] + mac, ethertype, reply)

        dst_key = ("exact", 12, vid), ("exact", 48, int.from_bytes(dst, "big"))
        if self.entries.find("ingress.router_mac", *dst_key):
            return self.route(ipv4, ipv6, tci_flags, ethertype, payload)
        station = None if dst[0] & 1 else self.entries.find("ingress.dmac", *dst_key)
        if station:
            if station.numbers[0] == port:
                raise Dropped("SAME_PORT")
            return self.leave(station.numbers[0], vid, tci_flags, frame[:12], ethertype, payload)
        flood = self.entries.find("ingress.flood", ("exact", 12, vid))
        if flood is None:
            raise Dropped("NO_FLOOD")
        copies = []
        for member in self.entries.members(flood.numbers[0]):
            if member != port:
                copies += self.leave(member, vid, tci_flags, frame[:12], ethertype, payload)
        return copies

    def access_lists(self, port, ipv4, ipv6, payload):
        if ipv4:
            protocol, upper = payload[9], payload[20:]
            plain = payload[0] & 0x0F == 5 and int.from_bytes(payload[6:8], "big") & 0x1FFF == 0
        elif ipv6:
            protocol, upper, plain = payload[6], payload[40:], True
        else:
            return
        sport = dport = 0
        if plain and protocol in (6, 17) and len(upper) >= 4:
            sport, dport = int.from_bytes(upper[:2], "big"), int.from_bytes(upper[2:4], "big")
        if ipv4:
            verdict = self.entries.find(
                "ingress.acl_ipv4",
                ("ternary", 9, port),
                ("ternary", 32, int.from_bytes(payload[12:16], "big")),
                ("ternary", 32, int.from_bytes(payload[16:20], "big")),
                ("ternary", 8, protocol),
                ("ternary", 16, sport),
                ("ternary", 16, dport),
            )
        else:
            verdict = self.entries.find(
                "ingress.acl_ipv6",
                ("ternary", 9, port),
                ("ternary", 128, int.from_bytes(payload[8:24], "big")),
                ("ternary", 128, int.from_bytes(payload[24:40], "big")),
                ("ternary", 8, protocol),
                ("ternary", 16, dport),
            )
        if verdict and verdict.action == "deny":
            raise Dropped("ACL")

    def route(self, ipv4, ipv6, tci_flags, ethertype, payload):
        if ipv4:
            version, ihl = payload[0] >> 4, payload[0] & 0x0F
            if version != 4 or ihl < 5:
                raise Dropped("IP_MALFORMED")
            if ihl > 5:
                raise Dropped("IP_OPTIONS")
            header = IP(payload[:20])
            stated = header.chksum
            del header.chksum
            if IP(bytes(header)).chksum != stated:
                raise Dropped("IP_MALFORMED")
            if header.ttl <= 1:
                raise Dropped("TTL")
            best = self.entries.find("ingress.ipv4_lpm", ("lpm", 32, int.from_bytes(payload[16:20], "big")))
            header.ttl -= 1
            payload = bytes(header)[:20] + payload[20:]
        elif ipv6:
            if payload[0] >> 4 != 6:
                raise Dropped("IP_MALFORMED")
            if payload[7] <= 1:
                raise Dropped("TTL")
            best = self.entries.find("ingress.ipv6_lpm", ("lpm", 128, int.from_bytes(payload[24:40], "big")))
            payload = payload[:7] + bytes([payload[7] - 1]) + payload[8:]
        else:
            raise Dropped("NOT_IP")
        if best is None or best.action == "discard":
            raise Dropped("NO_ROUTE")
        hop = self.entries.find("ingress.nexthop", ("exact", 16, best.numbers[0]))
        if hop is None:
            raise Dropped("NO_NEXTHOP")
        port, vid, smac, dmac = hop.numbers
        return self.leave(port, vid, tci_flags, dmac.to_bytes(6, "big") + smac.to_bytes(6, "big"), ethertype, payload)

    def leave(self, port, vid, tci_flags, addresses, ethertype, payload):
        member = self.entries.find("egress.vlan_egress", ("exact", 9, port), ("exact", 12, vid))
        if member is None:
            raise Dropped("VLAN_EGRESS")
        tag = b"\x81\x00" + (tci_flags | vid).to_bytes(2, "big") if member.action == "tagged" else b""
        return [(port, addresses + tag + ethertype + payload)]


def main():
    rng = random.Random(3)
    model = Model(runtime_entries.read(HERE / "entries.txt"))
    sent, received = {port: [] for port in PORTS}, {port: [] for port in PORTS}
    for number, (port, frame) in enumerate(ordinary(rng, 100) + edge_cases(rng)):
        micros, data = 1_000_000 + 50 * number, bytes(frame)
        sent[port].append((micros, data))
        for out, result in model.process(port, data):
            received[out].append((micros, result))
    for port in PORTS:
        pcap_file.write(HERE / f"in.{port}.pcap", sent[port])
        pcap_file.write(HERE / f"expected.{port}.pcap", received[port])
        print(f"port {port}: {len(sent[port])} in, {len(received[port])} out")
    for reason, count in sorted(model.drops.items()):
        print(f"dropped, {reason}: {count}")
    print(f"digests: {model.learnt}")


if __name__ == "__main__":
    main()
