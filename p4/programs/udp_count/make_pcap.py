#!/usr/bin/env python3
"""Writes in.N.pcap and, from a model of the program, expected.N.pcap.

The model states in Python what udp_count.p4 is meant to do; it shares only
entries.txt with the program. Needs scapy 2.8.0; the output never changes.
"""

import random
import sys
from pathlib import Path

from scapy.all import ARP, ICMP, IP, TCP, UDP, Ether, IPOption, IPv6, Raw

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "scripts"))

import pcap_file
import runtime_entries

CLIENT, SERVER = "02:00:00:00:01:01", "02:00:00:00:02:02"


def traffic():
    """(port, frame) in order of arrival."""
    rng = random.Random(1)
    frames = []
    for _ in range(40):
        dport = rng.choice([53, 53, 123, 14310, 14311, 69, 1900, 4789, 5353])
        payload = bytes(rng.randrange(256) for _ in range(rng.choice([18, 64, 200, 512, 1400])))
        query = rng.random() < 0.6
        ether = Ether(src=CLIENT, dst=SERVER) if query else Ether(src=SERVER, dst=CLIENT)
        ip = IP(src="192.0.2.10", dst="198.51.100.5") if query else IP(src="198.51.100.5", dst="192.0.2.10")
        frames.append((0 if query else 1, ether / ip / UDP(sport=40000 + rng.randrange(1000), dport=dport) / Raw(payload)))
    to_server = Ether(src=CLIENT, dst=SERVER)
    ip = IP(src="192.0.2.10", dst="198.51.100.5")
    dns = UDP(sport=40001, dport=53)
    tftp = UDP(sport=40001, dport=69)
    frames += [
        # No UDP header is seen in any of these: they pass, even towards port 69.
        (0, to_server / IP(src="192.0.2.10", dst="198.51.100.5", options=[IPOption(b"\x94\x04\x00\x00")]) / tftp / Raw(b"options")),
        (0, to_server / IP(src="192.0.2.10", dst="198.51.100.5", frag=100) / Raw(bytes(tftp) + b"a later fragment")),
        (0, to_server / ip / TCP(sport=40001, dport=69, flags="S")),
        (0, to_server / ip / ICMP() / Raw(b"ping" * 14)),
        (0, to_server / IPv6(src="2001:db8::1", dst="2001:db8::2") / tftp / Raw(b"over IPv6")),
        (1, Ether(src=SERVER, dst="ff:ff:ff:ff:ff:ff") / ARP(op=1, psrc="198.51.100.5", pdst="192.0.2.10", hwsrc=SERVER)),
        (0, Raw((to_server / ip).build()[:34] + b"\x9c\x41\x00\x45")),
        (0, Raw(bytes(to_server / ip)[:20])),
        # The first fragment has the UDP header: counted and dropped as usual.
        (0, to_server / IP(src="192.0.2.10", dst="198.51.100.5", flags="MF") / dns / Raw(b"first fragment..")),
        (0, to_server / IP(src="192.0.2.10", dst="198.51.100.5", flags="MF") / tftp / Raw(b"first fragment..")),
        # An empty datagram, and a wrong IPv4 checksum, which this program does not look at.
        (0, to_server / ip / dns),
        (0, to_server / IP(src="192.0.2.10", dst="198.51.100.5", chksum=0x1234) / tftp / Raw(b"x")),
    ]
    return [(port, bytes(frame)) for port, frame in frames]


class Model:
    """What udp_count.p4 means."""

    def __init__(self, entries):
        self.entries = entries
        self.cells = {}

    def process(self, port, frame):
        """Returns [(port, frame)]: what leaves, and where."""
        has_udp = (
            len(frame) >= 14 + 20 + 8
            and frame[12:14] == b"\x08\x00"
            and frame[14] & 0x0F == 5
            and int.from_bytes(frame[20:22], "big") & 0x1FFF == 0
            and frame[23] == 17
        )
        if has_udp:
            entry = self.entries.find("ingress.udp_ports", ("exact", 16, int.from_bytes(frame[36:38], "big")))
            if entry and entry.action == "drop":
                return []
            if entry and entry.action == "count":
                self.cells[entry.numbers[0]] = self.cells.get(entry.numbers[0], 0) + 1
        return [(port ^ 1, frame)]


def main():
    model = Model(runtime_entries.read(HERE / "entries.txt"))
    ports = (0, 1)
    sent, received = {port: [] for port in ports}, {port: [] for port in ports}
    for number, (port, frame) in enumerate(traffic()):
        micros = 1_000_000 + 100 * number
        sent[port].append((micros, frame))
        for out, result in model.process(port, frame):
            received[out].append((micros, result))
    for port in ports:
        pcap_file.write(HERE / f"in.{port}.pcap", sent[port])
        pcap_file.write(HERE / f"expected.{port}.pcap", received[port])
        print(f"port {port}: {len(sent[port])} in, {len(received[port])} out")
    for cell, count in sorted(model.cells.items()):
        print(f"c1[{cell}] = {count}")


if __name__ == "__main__":
    main()
