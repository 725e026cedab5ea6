#!/usr/bin/env python3
"""Writes the STF tests of l2l3. Each expected packet is stated outright.

Needs scapy 2.8.0, which computes the checksums; the output never changes.
"""

import sys
from pathlib import Path

from scapy.all import ARP, IP, TCP, UDP, Dot1Q, Ether, ICMPv6EchoRequest, IPOption, IPv6, Raw

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "scripts"))

from stf_writer import Stf

A, B, C, D = "02:00:00:00:0a:0a", "02:00:00:00:0b:0b", "02:00:00:00:0c:0c", "02:00:00:00:0d:0d"
ROUTER = "02:00:00:00:00:fe"
DATA = Raw(b"0123456789abcdef")

# Ports 0 and 1 in VLAN 10, port 2 in VLAN 20, port 3 a trunk of both.
VLANS = """
add port_config standard_metadata.ingress_port:0 set_port(pvid:10)
add port_config standard_metadata.ingress_port:1 set_port(pvid:10)
add port_config standard_metadata.ingress_port:2 set_port(pvid:20)
add port_config standard_metadata.ingress_port:3 set_port(pvid:1)
add vlan_ingress standard_metadata.ingress_port:0 meta.vid:10 NoAction()
add vlan_ingress standard_metadata.ingress_port:1 meta.vid:10 NoAction()
add vlan_ingress standard_metadata.ingress_port:2 meta.vid:20 NoAction()
add vlan_ingress standard_metadata.ingress_port:3 meta.vid:10 NoAction()
add vlan_ingress standard_metadata.ingress_port:3 meta.vid:20 NoAction()
add vlan_egress standard_metadata.egress_port:0 meta.vid:10 untagged()
add vlan_egress standard_metadata.egress_port:1 meta.vid:10 untagged()
add vlan_egress standard_metadata.egress_port:2 meta.vid:20 untagged()
add vlan_egress standard_metadata.egress_port:3 meta.vid:10 tagged()
add vlan_egress standard_metadata.egress_port:3 meta.vid:20 tagged()
"""

FLOOD = """
mc_mgrp_create 10
mc_node_create 1 0 1 3
mc_node_associate 10 0
add flood meta.vid:10 broadcast(group:10)
"""

ROUTER_ENTRIES = f"""
add router_mac meta.vid:10 hdr.ethernet.dstAddr:0x{ROUTER.replace(":", "")} NoAction()
add router_mac meta.vid:20 hdr.ethernet.dstAddr:0x{ROUTER.replace(":", "")} NoAction()
add nexthop meta.nexthop:1 route(port:1, vid:10, srcAddr:0x0200000000fe, dstAddr:0x020000000b0b)
add nexthop meta.nexthop:2 route(port:2, vid:20, srcAddr:0x0200000000fe, dstAddr:0x020000000c0c)
add nexthop meta.nexthop:3 route(port:3, vid:20, srcAddr:0x0200000000fe, dstAddr:0x020000000d0d)
"""


def station(vid, mac, port):
    return f"add dmac meta.vid:{vid} hdr.ethernet.dstAddr:0x{mac.replace(':', '')} forward(port:{port})"


def bridge():
    stf = Stf(
        "l2l3: bridging inside a VLAN. A known station, flooding of unknown and",
        "group addresses to all members but the source, reserved addresses.",
        "spec: P4_16 §14.2.3 Match-action unit execution semantics; v1model mcast_grp",
    )
    stf.command(VLANS + FLOOD)
    stf.command(station(10, A, 0))
    stf.command(station(10, B, 1))
    stf.note("A known unicast address: one copy, unchanged.")
    frame = Ether(src=A, dst=B, type=0x88B5) / DATA
    stf.packet(0, frame)
    stf.expect(1, frame)
    stf.note("Unknown address: ports 1 and 3 (tagged there), not back to 0.")
    frame = Ether(src=A, dst=C, type=0x88B5) / DATA
    stf.packet(0, frame)
    stf.expect(1, frame)
    stf.expect(3, Ether(src=A, dst=C, type=0x8100) / Dot1Q(vlan=10, type=0x88B5) / DATA)
    stf.note("Broadcast from the trunk: tag off towards 0 and 1, nothing back to 3.")
    stf.packet(3, Ether(src=D, dst="ff:ff:ff:ff:ff:ff") / Dot1Q(vlan=10, prio=5, type=0x88B5) / DATA)
    for port in (0, 1):
        stf.expect(port, Ether(src=D, dst="ff:ff:ff:ff:ff:ff", type=0x88B5) / DATA)
    stf.note("Multicast floods even if an entry of dmac has that address.")
    stf.command(station(10, "01:00:5e:00:00:05", 0))
    frame = Ether(src=B, dst="01:00:5e:00:00:05", type=0x88B5) / DATA
    stf.packet(1, frame)
    stf.expect(0, frame)
    stf.expect(3, Ether(src=B, dst="01:00:5e:00:00:05", type=0x8100) / Dot1Q(vlan=10, type=0x88B5) / DATA)
    stf.note("Silent: to the port it came from; reserved group address; group source;\na VLAN without flood group; a port without configuration.")
    stf.packet(0, Ether(src=B, dst=A, type=0x88B5) / DATA)
    stf.packet(0, Ether(src=A, dst="01:80:c2:00:00:0f", type=0x88B5) / DATA)
    stf.packet(0, Ether(src="03:00:00:00:00:01", dst=B, type=0x88B5) / DATA)
    stf.packet(2, Ether(src=C, dst=B, type=0x88B5) / DATA)
    stf.packet(5, Ether(src=C, dst=B, type=0x88B5) / DATA)
    stf.command(
        """
wait
check_counter ingress.drops(0) packets == 1
check_counter ingress.drops(2) packets == 1
check_counter ingress.drops(3) packets == 1
check_counter ingress.drops(11) packets == 1
check_counter ingress.drops(12) packets == 1
check_counter port_out(0) packets == 2
"""
    )
    stf.write(HERE / "l2l3.bridge.stf")


def vlan():
    stf = Stf(
        "l2l3: 802.1Q tags. Membership on both sides, priority tags, PCP and DEI",
        "kept from tag to tag, a second tag left alone.",
        "spec: P4_16 §8.18 Operations on headers (setValid, setInvalid); §16 Deparsing",
    )
    stf.command(VLANS + FLOOD)
    stf.command(station(10, A, 0))
    stf.command(station(10, B, 3))
    stf.command(station(20, C, 2))
    stf.note("Access port to trunk: a tag appears, priority 0.")
    stf.packet(0, Ether(src=A, dst=B, type=0x88B5) / DATA)
    stf.expect(3, Ether(src=A, dst=B, type=0x8100) / Dot1Q(vlan=10, type=0x88B5) / DATA)
    stf.note("A priority tag (VID 0) means the port's VLAN; its PCP and DEI stay.")
    stf.packet(0, Ether(src=A, dst=B) / Dot1Q(vlan=0, prio=6, id=1, type=0x88B5) / DATA)
    stf.expect(3, Ether(src=A, dst=B) / Dot1Q(vlan=10, prio=6, id=1, type=0x88B5) / DATA)
    stf.note("Trunk to access port: the tag goes; the next tag, of a customer, is payload.")
    stf.packet(3, Ether(src=B, dst=A) / Dot1Q(vlan=10, prio=3) / Dot1Q(vlan=77, type=0x88B5) / DATA)
    stf.expect(0, Ether(src=B, dst=A) / Dot1Q(vlan=77, type=0x88B5) / DATA)
    stf.note("The same address in another VLAN is another station: unknown, no flood group.")
    stf.packet(3, Ether(src=B, dst=A) / Dot1Q(vlan=20, type=0x88B5) / DATA)
    stf.note("Not members: VLAN 20 on port 0, untagged on the trunk, VLAN 30 anywhere.")
    stf.packet(0, Ether(src=A, dst=C) / Dot1Q(vlan=20, type=0x88B5) / DATA)
    stf.packet(3, Ether(src=B, dst=A, type=0x88B5) / DATA)
    stf.packet(3, Ether(src=B, dst=A) / Dot1Q(vlan=30, type=0x88B5) / DATA)
    stf.note("A station entry that points to a port outside the VLAN.")
    stf.command(station(10, D, 2))
    stf.packet(0, Ether(src=A, dst=D, type=0x88B5) / DATA)
    stf.command(
        """
wait
check_counter ingress.drops(1) packets == 3
check_counter ingress.drops(12) packets == 1
check_counter egress.drops(13) packets == 1
"""
    )
    stf.write(HERE / "l2l3.vlan.stf")


def ipv4():
    stf = Stf(
        "l2l3: IPv4 routing. The longest prefix wins whatever the order of the",
        "entries; TTL 0 and 1 stop; the checksum is verified and updated.",
        "spec: P4_16 §14.2.1 Table properties (lpm); v1model verify_checksum, update_checksum",
    )
    stf.command(VLANS + FLOOD + ROUTER_ENTRIES)
    stf.command(
        """
add ipv4_lpm hdr.ipv4.dstAddr:0x0a010000/16 set_nexthop(id:2)
add ipv4_lpm hdr.ipv4.dstAddr:0x0a000000/8 set_nexthop(id:1)
add ipv4_lpm hdr.ipv4.dstAddr:0x0a010200/24 set_nexthop(id:3)
add ipv4_lpm hdr.ipv4.dstAddr:0x0a010203/32 discard()
add ipv4_lpm hdr.ipv4.dstAddr:0x0a020000/16 set_nexthop(id:9)
"""
    )
    ether = Ether(src=A, dst=ROUTER)
    udp = UDP(sport=1000, dport=2000) / DATA

    def packet(dst, **fields):
        return ether / IP(src="192.0.2.1", dst=dst, **fields) / udp

    def routed(mac, dst, **fields):
        return Ether(src=ROUTER, dst=mac) / IP(src="192.0.2.1", dst=dst, **fields) / udp

    stf.note("/8, /16 and /24; on the trunk with a tag. Default TTL 64 leaves as 63.")
    stf.packet(0, packet("10.200.0.1"))
    stf.expect(1, routed(B, "10.200.0.1", ttl=63))
    stf.packet(0, packet("10.1.0.255"))
    stf.expect(2, routed(C, "10.1.0.255", ttl=63))
    stf.packet(0, packet("10.1.2.4"))
    stf.expect(3, Ether(src=ROUTER, dst=D) / Dot1Q(vlan=20) / IP(src="192.0.2.1", dst="10.1.2.4", ttl=63) / udp)
    stf.note("The /32 discards, 10.2/16 has a next hop that does not exist, 11/8 no route.")
    stf.packet(0, packet("10.1.2.3"))
    stf.packet(0, packet("10.2.0.1"))
    stf.packet(0, packet("11.0.0.1"))
    stf.note("TTL 2 still passes and leaves as 1; 255 as 254; 1 and 0 do not pass.")
    stf.packet(0, packet("10.200.0.1", ttl=2))
    stf.expect(1, routed(B, "10.200.0.1", ttl=1))
    stf.packet(0, packet("10.200.0.1", ttl=255))
    stf.expect(1, routed(B, "10.200.0.1", ttl=254))
    stf.packet(0, packet("10.200.0.1", ttl=1))
    stf.packet(0, packet("10.200.0.1", ttl=0))
    stf.note("A wrong checksum, version 5, IHL 4; then options (IHL 6).")
    right = IP(bytes(IP(src="192.0.2.1", dst="10.200.0.1") / udp)).chksum
    stf.packet(0, packet("10.200.0.1", chksum=right ^ 0x0100))
    stf.packet(0, packet("10.200.0.1", version=5))
    stf.packet(0, packet("10.200.0.1", ihl=4))
    stf.packet(0, packet("10.200.0.1", options=[IPOption(b"\x94\x04\x00\x00")]))
    stf.note("To the router, but not IP; and an IPv4 header cut off at 19 bytes.")
    stf.packet(0, Ether(src=A, dst=ROUTER, type=0x88B5) / DATA)
    stf.packet(0, Raw(bytes(packet("10.200.0.1"))[:33]))
    stf.note("A header and nothing behind it is a packet.")
    stf.packet(0, ether / IP(src="192.0.2.1", dst="10.200.0.1"))
    stf.expect(1, Ether(src=ROUTER, dst=B) / IP(src="192.0.2.1", dst="10.200.0.1", ttl=63))
    stf.note("Bridged packets are not touched: TTL 0 and the wrong checksum pass.")
    stf.command(station(10, B, 1))
    frame = Ether(src=A, dst=B) / IP(src="192.0.2.1", dst="10.200.0.1", ttl=0, chksum=right ^ 0x0100) / udp
    stf.packet(0, frame)
    stf.expect(1, frame)
    stf.note("Between VLANs by the trunk alone: in tagged 10, out untagged 20; the PCP stays\nwith the frame only where there is a tag to hold it.")
    stf.packet(3, Ether(src=D, dst=ROUTER) / Dot1Q(vlan=10, prio=4) / IP(src="192.0.2.9", dst="10.1.0.1") / udp)
    stf.expect(2, Ether(src=ROUTER, dst=C) / IP(src="192.0.2.9", dst="10.1.0.1", ttl=63) / udp)
    stf.command(
        """
wait
check_counter ingress.drops(5) packets == 2
check_counter ingress.drops(6) packets == 3
check_counter ingress.drops(7) packets == 1
check_counter ingress.drops(8) packets == 2
check_counter ingress.drops(9) packets == 2
check_counter ingress.drops(10) packets == 1
"""
    )
    stf.write(HERE / "l2l3.ipv4.stf")


def ipv6():
    stf = Stf(
        "l2l3: IPv6 routing. Prefix lengths that split inside and beyond 64 bits,",
        "the hop limit, no checksum to touch.",
        "spec: P4_16 §14.2.1 Table properties (lpm)",
    )
    stf.command(VLANS + ROUTER_ENTRIES)
    stf.command(
        """
add ipv6_lpm hdr.ipv6.dstAddr:0/0 set_nexthop(id:1)
add ipv6_lpm hdr.ipv6.dstAddr:0x20010db8000000000000000000000000/33 set_nexthop(id:2)
add ipv6_lpm hdr.ipv6.dstAddr:0x20010db8000000010000000000000000/65 set_nexthop(id:3)
add ipv6_lpm hdr.ipv6.dstAddr:0x20010db8000000010000000000000001/128 discard()
"""
    )
    ether = Ether(src=A, dst=ROUTER)
    ping = ICMPv6EchoRequest(id=7, seq=1, data=b"0123456789")

    def packet(dst, **fields):
        return ether / IPv6(src="2001:db8:ffff::1", dst=dst, **fields) / ping

    def routed(mac, dst, **fields):
        return Ether(src=ROUTER, dst=mac) / IPv6(src="2001:db8:ffff::1", dst=dst, **fields) / ping

    stf.note("Bit 33 is clear: /33. Bit 33 is set: the default route.")
    stf.packet(0, packet("2001:db8:7fff::1"))
    stf.expect(2, routed(C, "2001:db8:7fff::1", hlim=63))
    stf.packet(0, packet("2001:db8:8000::1"))
    stf.expect(1, routed(B, "2001:db8:8000::1", hlim=63))
    stf.note("Bit 65 is clear: /65. Bit 65 is set: back to the /33. The /128 discards.")
    tagged = Ether(src=ROUTER, dst=D) / Dot1Q(vlan=20)
    stf.packet(0, packet("2001:db8:0:1:7fff:ffff:ffff:ffff"))
    stf.expect(3, tagged / IPv6(src="2001:db8:ffff::1", dst="2001:db8:0:1:7fff:ffff:ffff:ffff", hlim=63) / ping)
    stf.packet(0, packet("2001:db8:0:1:8000::"))
    stf.expect(2, routed(C, "2001:db8:0:1:8000::", hlim=63))
    stf.packet(0, packet("2001:db8:0:1::1"))
    stf.note("Hop limits 2, 1, 0.")
    stf.packet(0, packet("2620::1", hlim=2))
    stf.expect(1, routed(B, "2620::1", hlim=1))
    stf.packet(0, packet("2620::1", hlim=1))
    stf.packet(0, packet("2620::1", hlim=0))
    stf.note("Version 4 under the EtherType of IPv6.")
    stf.packet(0, packet("2620::1", version=4))
    stf.command(
        """
wait
check_counter ingress.drops(6) packets == 1
check_counter ingress.drops(8) packets == 2
check_counter ingress.drops(9) packets == 1
"""
    )
    stf.write(HERE / "l2l3.ipv6.stf")


def acl():
    stf = Stf(
        "l2l3: ternary access lists. The highest priority wins, whatever the order",
        "of the entries; among equals the first one; a fragment has no ports.",
        "spec: P4_16 §14.2.1 Table properties (ternary, priorities); v1model direct_counter",
    )
    stf.command(VLANS)
    stf.command(station(10, B, 1))
    stf.command(
        """
add acl_ipv4 10 hdr.ipv4.dstAddr:0x0a000000&&&0xff000000 deny()
add acl_ipv4 20 hdr.ipv4.dstAddr:0x0a0000** meta.l4_dst:443 permit()
add acl_ipv4 30 hdr.ipv4.dstAddr:0x0a000001 hdr.ipv4.protocol:17 deny()
add acl_ipv4 40 meta.l4_dst:9000 permit()
add acl_ipv4 40 meta.l4_dst:9000 deny()
add acl_ipv4 50 standard_metadata.ingress_port:1 meta.l4_src:53 deny()
add acl_ipv6 1 hdr.ipv6.srcAddr:0xfe800000000000000000000000000000&&&0xffc00000000000000000000000000000 hdr.ipv6.nextHdr:17 deny()
"""
    )

    def frame(dst, upper, **fields):
        return Ether(src=A, dst=B) / IP(src="192.0.2.1", dst=dst, **fields) / upper

    def passes(packet):
        stf.packet(0, packet)
        stf.expect(1, packet)

    stf.note("No entry: permitted by default.")
    passes(frame("11.0.0.1", TCP(dport=80)))
    stf.note("10/8 is denied (10) unless HTTPS to 10.0.0/24 (20), but not by UDP to .1 (30).")
    stf.packet(0, frame("10.0.0.1", TCP(dport=80)))
    passes(frame("10.0.0.1", TCP(dport=443)))
    passes(frame("10.0.0.2", UDP(dport=443)))
    stf.packet(0, frame("10.0.0.1", UDP(dport=443)))
    stf.packet(0, frame("10.0.1.1", TCP(dport=443)))
    stf.note("Two entries of priority 40: the first one permits.")
    passes(frame("10.0.0.1", UDP(dport=9000)))
    stf.note("Entry 50 is about port 1 only.")
    passes(frame("11.0.0.1", UDP(sport=53, dport=1234)))
    stf.packet(1, Ether(src=B, dst=B) / IP(src="192.0.2.2", dst="11.0.0.1") / UDP(sport=53, dport=1234))
    stf.note("A later fragment to 10.0.0.9: port 443 in its payload is not a port.")
    stf.packet(0, frame("10.0.0.9", Raw(bytes(TCP(sport=1, dport=443))), frag=4, proto=6))
    stf.note("IPv6: UDP from link-local (fe80::/10, so fe80 to febf) is denied, ICMPv6 is not.")
    v6 = Ether(src=A, dst=B)
    stf.packet(0, v6 / IPv6(src="fe80::1", dst="2620::1") / UDP(dport=53))
    stf.packet(0, v6 / IPv6(src="febf::1", dst="2620::1") / UDP(dport=53))
    passes(v6 / IPv6(src="fec0::1", dst="2620::1") / UDP(dport=53))
    passes(v6 / IPv6(src="fe80::1", dst="2620::1") / ICMPv6EchoRequest())
    stf.command("wait\ncheck_counter ingress.drops(4) packets == 7")
    stf.write(HERE / "l2l3.acl.stf")


def arp():
    stf = Stf(
        "l2l3: the router answers ARP requests for its own addresses, by the port",
        "they came from; every other ARP packet is bridged. RFC 826.",
        "spec: P4_16 §12.1 Assignment statement; §16 Deparsing",
    )
    stf.command(VLANS + FLOOD)
    stf.command("add arp_responder meta.vid:10 hdr.arp.tpa:0x0a000001 arp_reply(mac:0x0200000000fe)")
    stf.command(station(10, B, 1))
    padding = Raw(bytes(18))
    everyone = "ff:ff:ff:ff:ff:ff"

    def request(mac, target, **fields):
        return ARP(**({"op": 1, "hwsrc": mac, "psrc": "10.0.0.7", "hwdst": "00:00:00:00:00:00", "pdst": target} | fields))

    def reply(mac):
        return ARP(op=2, hwsrc=ROUTER, psrc="10.0.0.1", hwdst=mac, pdst="10.0.0.7")

    stf.note("Untagged, and tagged on the trunk; the padding comes back too.")
    stf.packet(0, Ether(src=A, dst=everyone) / request(A, "10.0.0.1") / padding)
    stf.expect(0, Ether(src=ROUTER, dst=A) / reply(A) / padding)
    stf.packet(3, Ether(src=D, dst=everyone) / Dot1Q(vlan=10, prio=2) / request(D, "10.0.0.1") / padding)
    stf.expect(3, Ether(src=ROUTER, dst=D) / Dot1Q(vlan=10, prio=2) / reply(D) / padding)
    stf.note("For somebody else; a reply (op 2) that names the router; another hardware\ntype: all flooded.")
    infiniband = Raw(b"\x00\x20" + bytes(request(A, "10.0.0.1"))[2:])
    for body in (request(A, "10.0.0.2"), request(A, "10.0.0.1", op=2), infiniband):
        stf.packet(0, Ether(src=A, dst=everyone, type=0x0806) / body)
        stf.expect(1, Ether(src=A, dst=everyone, type=0x0806) / body)
        stf.expect(3, Ether(src=A, dst=everyone) / Dot1Q(vlan=10, type=0x0806) / body)
    stf.note("Unicast between hosts: bridged. In VLAN 20 the address is not the router's\nand nobody floods.")
    unicast = Ether(src=A, dst=B) / request(A, "10.0.0.2", op=2)
    stf.packet(0, unicast)
    stf.expect(1, unicast)
    stf.packet(2, Ether(src=C, dst=everyone) / request(C, "10.0.0.1"))
    stf.command("wait\nno_packet")
    stf.write(HERE / "l2l3.arp.stf")


for test in (bridge, vlan, ipv4, ipv6, acl, arp):
    test()
