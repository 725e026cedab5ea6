#!/usr/bin/env python3
"""Writes the STF tests of l3_ipv4. Each expected packet is stated outright.

Needs scapy 2.8.0; the output never changes.
"""

import sys
from pathlib import Path

from scapy.all import ARP, IP, TCP, UDP, Ether, IPOption, IPv6, Raw

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "scripts"))

from stf_writer import Stf

ARRIVES = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:01:00")
HOST, UPSTREAM = "02:00:00:00:00:05", "02:00:00:00:00:03"
TABLES = """
add ipv4_lpm hdr.ipv4.dstAddr:0x00000000/0 via(router:0xc0000201)
add ipv4_lpm hdr.ipv4.dstAddr:0x0a010000/16 attached()
add ipv4_lpm hdr.ipv4.dstAddr:0x0a018000/17 drop()
add ipv4_lpm hdr.ipv4.dstAddr:0x0a01fffe/32 attached()
add ipv4_lpm hdr.ipv4.dstAddr:0xcb007100/24 via(router:0x0a090909)
add dmac meta.nexthop:0xc0000201 forward(port:2, srcAddr:0x020000000102, dstAddr:0x020000000003)
add dmac meta.nexthop:0x0a010005 forward(port:1, srcAddr:0x020000000101, dstAddr:0x020000000005)
add dmac meta.nexthop:0x0a01fffe forward(port:1, srcAddr:0x020000000101, dstAddr:0x0200000000fe)
"""


def ip(dst, **fields):
    return IP(src="10.7.7.7", **({"dst": dst, "ttl": 64} | fields))


def udp(text=b"payload of a datagram"):
    return UDP(sport=4000, dport=4001) / Raw(text)


def leaves(src, dst):
    return Ether(src=src, dst=dst)


TO_HOST = leaves("02:00:00:00:01:01", HOST)
TO_LAST = leaves("02:00:00:00:01:01", "02:00:00:00:00:fe")
TO_UPSTREAM = leaves("02:00:00:00:01:02", UPSTREAM)


def routes():
    stf = Stf(
        "l3_ipv4: the longest prefix gives the next hop, the next hop gives port and addresses.",
        "spec: P4_16 §14.2.1.1 Match kinds (lpm); RFC 1812 5.2.4",
    )
    stf.command(TABLES)
    for note, dst, port, link in [
        ("An attached network: the destination is the next hop.", "10.1.0.5", 1, TO_HOST),
        ("A /32 inside a /17 that is not in use.", "10.1.255.254", 1, TO_LAST),
        ("The default route.", "8.8.8.8", 2, TO_UPSTREAM),
        ("Just outside of the /16.", "10.2.0.0", 2, TO_UPSTREAM),
        ("All ones.", "255.255.255.255", 2, TO_UPSTREAM),
    ]:
        stf.note(note)
        stf.packet(0, ARRIVES / ip(dst) / udp())
        stf.expect(port, link / ip(dst, ttl=63) / udp())
    for note, dst in [
        ("The part that is not in use.", "10.1.128.1"),
        ("A host of the attached network that dmac does not know.", "10.1.0.6"),
        ("A next hop that dmac does not know.", "203.0.113.9"),
    ]:
        stf.note(f"{note} Dropped.")
        stf.packet(0, ARRIVES / ip(dst) / udp())
    stf.command("wait\nno_packet")
    stf.write(HERE / "l3_ipv4.routes.stf")


def headers():
    stf = Stf(
        "l3_ipv4: what is routed and what is not; TTL and checksum.",
        "spec: RFC 1812 5.3.1 TTL; RFC 791 3.1 header checksum",
    )
    stf.command(TABLES)
    for ttl in (2, 3, 128, 255):
        stf.note(f"TTL {ttl}.")
        stf.packet(0, ARRIVES / ip("8.8.8.8", ttl=ttl) / udp())
        stf.expect(2, TO_UPSTREAM / ip("8.8.8.8", ttl=ttl - 1) / udp())
    stf.note("Other protocols, fragments, diffserv, a long packet, a bare header.")
    for fields, upper in [
        ({"tos": 184}, TCP(sport=1, dport=2, flags="S")),
        ({"frag": 185, "flags": "MF", "proto": 17}, Raw(bytes(range(64)))),
        ({"id": 0xFFFF}, udp(bytes(n % 251 for n in range(1400)))),
        ({"proto": 253}, Raw(b"")),
    ]:
        stf.packet(3, ARRIVES / ip("8.8.8.8", **fields) / upper)
        stf.expect(2, TO_UPSTREAM / ip("8.8.8.8", **fields | {"ttl": 63}) / upper)
    stf.note("A wrong checksum is not looked at; what leaves has the right one.")
    stf.packet(0, ARRIVES / ip("8.8.8.8", chksum=0x1234) / udp())
    stf.expect(2, TO_UPSTREAM / ip("8.8.8.8", ttl=63) / udp())
    stf.note("Dropped: TTL 0 and 1, version 5, options, no IPv4, cut-off headers.")
    whole = bytes(ARRIVES / ip("8.8.8.8") / udp())
    for frame in [
        ARRIVES / ip("8.8.8.8", ttl=0) / udp(),
        ARRIVES / ip("8.8.8.8", ttl=1) / udp(),
        ARRIVES / ip("8.8.8.8", version=5) / udp(),
        ARRIVES / ip("8.8.8.8", ihl=4) / udp(),
        ARRIVES / ip("8.8.8.8", options=[IPOption(b"\x94\x04\x00\x00")]) / udp(),
        ARRIVES / IPv6(src="2001:db8::1", dst="2001:db8::2") / udp(),
        ARRIVES / ARP(psrc="10.0.0.1", pdst="10.0.0.2", hwsrc="02:00:00:00:00:01"),
        Raw(whole[:33]),
        Raw(whole[:13]),
    ]:
        stf.packet(0, frame)
    stf.command("wait\nno_packet")
    stf.write(HERE / "l3_ipv4.headers.stf")


routes()
headers()
