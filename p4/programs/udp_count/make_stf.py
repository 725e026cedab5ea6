#!/usr/bin/env python3
"""Writes the STF tests of udp_count. Each expected packet is stated outright.

Needs scapy 2.8.0; the output never changes.
"""

import sys
from pathlib import Path

from scapy.all import IP, TCP, UDP, Ether, IPOption, Raw

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "scripts"))

from stf_writer import Stf

ETHER = Ether(src="02:00:00:00:01:01", dst="02:00:00:00:02:02")
IPV4 = IP(src="192.0.2.10", dst="198.51.100.5")
TABLE = """
add udp_ports hdr.udp.dstPort:53 count(cell:1)
add udp_ports hdr.udp.dstPort:0x7b count(cell:1023)
add udp_ports hdr.udp.dstPort:69 drop()
"""


def udp(dport, text=b"payload"):
    return ETHER / IPV4 / UDP(sport=40000, dport=dport) / Raw(text)


def count():
    stf = Stf(
        "udp_count: entries count in their own cell, drop, or (a miss) leave alone;",
        "packets cross the wire to the other port of the pair.",
        "spec: P4_16 §14.2.3 Match-action unit execution semantics; v1model counter",
    )
    stf.command(TABLE)
    stf.note("Two DNS packets, one in each direction of the wire 0-1.")
    stf.packet(0, udp(53))
    stf.expect(1, udp(53))
    stf.packet(1, udp(53, b"answer"))
    stf.expect(0, udp(53, b"answer"))
    stf.note("The last cell, on the wire 2-3.")
    stf.packet(3, udp(123))
    stf.expect(2, udp(123))
    stf.note("A miss passes uncounted.")
    stf.packet(0, udp(5353))
    stf.expect(1, udp(5353))
    stf.note("TFTP is dropped: no expect.")
    stf.packet(0, udp(69))
    stf.command(
        """
wait
check_counter c1(0) packets == 0
check_counter c1(1) packets == 2
check_counter c1(1023) packets == 1
"""
    )
    stf.write(HERE / "udp_count.count.stf")


def not_udp():
    stf = Stf(
        "udp_count: the table is applied only when all three headers are valid.",
        "Every packet below would be dropped if port 69 were found in it.",
        "spec: P4_16 §13.8.1 Fixed-width extraction; §8.18 Operations on headers (isValid)",
    )
    stf.command(TABLE)
    for note, frame in [
        ("TCP to port 69.", ETHER / IPV4 / TCP(sport=40000, dport=69)),
        (
            "IPv4 options (IHL 6) put the UDP header where the parser does not look.",
            ETHER / IP(src="192.0.2.10", dst="198.51.100.5", options=[IPOption(b"\x94\x04\x00\x00")]) / UDP(dport=69),
        ),
        (
            "A later fragment: its bytes at the UDP header's place are payload.",
            ETHER / IP(src="192.0.2.10", dst="198.51.100.5", frag=1, proto=17) / Raw(bytes(UDP(sport=1, dport=69, chksum=0))),
        ),
        (
            "Cut off after the fourth byte of the UDP header: PacketTooShort, the header\nstays invalid and its four bytes are payload that leaves unchanged.",
            Raw(bytes(udp(69))[: 14 + 20 + 4]),
        ),
        ("Cut off inside the IPv4 header.", Raw(bytes(udp(69))[: 14 + 19])),
    ]:
        stf.note(note)
        stf.packet(0, frame)
        stf.expect(1, frame)
    stf.note("Control: the same port 69 with all headers is dropped.")
    stf.packet(0, udp(69))
    stf.command("wait\nno_packet")
    stf.write(HERE / "udp_count.not_udp.stf")


count()
not_udp()
