#!/usr/bin/env python3
"""Writes in.N.pcap and, from a model of the router, expected.N.pcap.

The model states in Python what l3_ipv4.p4 is meant to do; it shares only
entries.txt with the program. Needs scapy 2.8.0; the output never changes.
"""

import ipaddress
import random
import sys
from pathlib import Path

from scapy.all import ARP, ICMP, IP, TCP, UDP, Ether, IPv6, Raw

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "scripts"))

import pcap_file
import runtime_entries

PORTS = (0, 1, 2)
# By port: who sends there, and our address there.
LINKS = [
    ("02:00:00:00:00:01", "02:00:00:00:01:00"),
    ("02:00:00:00:00:05", "02:00:00:00:01:01"),
    ("02:00:00:00:00:03", "02:00:00:00:01:02"),
]
DESTINATIONS = ["10.1.0.5", "10.1.0.5", "10.1.255.254", "10.4.5.6", "198.51.100.77", "8.8.8.8",
                "203.0.113.1", "10.1.200.1", "10.1.0.9"]  # fmt: skip


def traffic():
    """(port, frame) in order of arrival."""
    rng = random.Random(4)
    frames = []
    for _ in range(90):
        port = rng.choice(PORTS)
        source, us = LINKS[port]
        ip = IP(src=str(ipaddress.ip_address(rng.getrandbits(32))), dst=rng.choice(DESTINATIONS),
                ttl=rng.choice([0, 1, 2, 63, 64, 64, 64, 128, 255]), id=rng.getrandbits(16),
                tos=rng.choice([0, 0, 184]))  # fmt: skip
        upper = rng.choice([UDP(sport=5000, dport=53), TCP(sport=5001, dport=443, flags="A"), ICMP()])
        payload = rng.randbytes(rng.choice([6, 18, 200, 470, 984, 1460]))
        frames.append((port, Ether(src=source, dst=us) / ip / upper / Raw(payload)))
    source, us = LINKS[0]
    link = Ether(src=source, dst=us)
    frames += [
        (0, link / IPv6(src="2001:db8::1", dst="2001:db8::2") / UDP() / Raw(b"over IPv6")),
        (0, link / ARP(psrc="10.0.0.1", pdst="10.0.0.2", hwsrc=source)),
        (0, link / IP(dst="8.8.8.8", src="10.0.0.1", ihl=6) / Raw(b"optional")),
        (0, Raw(bytes(link / IP(dst="8.8.8.8", src="10.0.0.1"))[:30])),
    ]
    return [(port, bytes(frame)) for port, frame in frames]


def checksum(header):
    """Of an IPv4 header whose checksum field counts as zero (RFC 1071)."""
    words = [int.from_bytes(header[n : n + 2], "big") for n in range(0, 20, 2) if n != 10]
    total = sum(words)
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


class Model:
    """What l3_ipv4.p4 means."""

    def __init__(self, entries):
        self.entries = entries

    def process(self, frame):
        """Returns [(port, frame)]: what leaves, and where."""
        if len(frame) < 34 or frame[12:15] != b"\x08\x00\x45" or frame[22] < 2:
            return []
        address = int.from_bytes(frame[30:34], "big")
        entry = self.entries.find("ingress.ipv4_lpm", ("lpm", 32, address))
        if entry is None or entry.action == "drop":
            return []
        nexthop = address if entry.action == "attached" else entry.numbers[0]
        link = self.entries.find("ingress.dmac", ("exact", 32, nexthop))
        if link is None or link.action == "drop":
            return []
        port, source, destination = link.numbers
        header = bytearray(frame[14:34])
        header[8] -= 1
        header[10:12] = checksum(header).to_bytes(2, "big")
        addresses = destination.to_bytes(6, "big") + source.to_bytes(6, "big")
        return [(port, addresses + frame[12:14] + bytes(header) + frame[34:])]


def main():
    model = Model(runtime_entries.read(HERE / "entries.txt"))
    sent, received = {port: [] for port in PORTS}, {port: [] for port in PORTS}
    for number, (port, frame) in enumerate(traffic()):
        micros = 1_000_000 + 100 * number
        sent[port].append((micros, frame))
        for out, result in model.process(frame):
            received[out].append((micros, result))
    for port in PORTS:
        pcap_file.write(HERE / f"in.{port}.pcap", sent[port])
        pcap_file.write(HERE / f"expected.{port}.pcap", received[port])
        print(f"port {port}: {len(sent[port])} in, {len(received[port])} out")


if __name__ == "__main__":
    main()
