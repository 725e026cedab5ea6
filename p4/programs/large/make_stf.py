#!/usr/bin/env python3
"""Writes the STF tests of large. Each expected packet is stated outright.

Needs scapy 2.8.0, which computes the checksums; the output never changes.
"""

import sys
from pathlib import Path

from scapy.all import ARP, GRE, IP, TCP, UDP, Dot1AD, Dot1Q, Ether, IPOption, IPv6, Raw
from scapy.contrib.mpls import MPLS
from scapy.layers.vxlan import VXLAN

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "scripts"))

from stf_writer import Stf

A, B, C = "02:00:00:00:0a:0a", "02:00:00:00:0b:0b", "02:00:00:00:0c:0c"
SPINE = "02:00:00:00:05:05"
ROUTER, UNDERLAY = "02:00:00:00:00:fe", "02:00:00:00:00:fd"
BROADCAST = "ff:ff:ff:ff:ff:ff"
DATA = Raw(b"0123456789abcdef")
CPU = 510


def mac(text):
    return "0x" + text.replace(":", "")


def crc16(data):
    """CRC-16/ARC: x^16 + x^15 + x^2 + 1, reflected, from 0."""
    register = 0
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ (0xA001 if register & 1 else 0)
    return register


def flow_port(src, dst, protocol, sport, dport):
    """The source port of the VXLAN packet that carries this IPv4 flow."""
    octets = bytes(int(part) for part in f"{src}.{dst}".split("."))
    return 0xC000 | crc16(octets + bytes([protocol]) + sport.to_bytes(2, "big") + dport.to_bytes(2, "big")) & 0x3FFF


# Port p is interface 100 + p. Ports 1 and 2 are in bridge domain 10 (port 2 by
# tag 10), port 3 in domain 20; port 4 is the underlay's, domain 99, table 9.
SETUP = f"""
add port_properties standard_metadata.ingress_port:1 set_port(ifindex:101, label:0, trust_dscp:0, trust_pcp:0, default_dscp:0, default_pcp:0)
add port_properties standard_metadata.ingress_port:2 set_port(ifindex:102, label:0, trust_dscp:0, trust_pcp:0, default_dscp:0, default_pcp:0)
add port_properties standard_metadata.ingress_port:3 set_port(ifindex:103, label:0, trust_dscp:0, trust_pcp:0, default_dscp:0, default_pcp:0)
add port_properties standard_metadata.ingress_port:4 set_port(ifindex:104, label:0, trust_dscp:0, trust_pcp:0, default_dscp:0, default_pcp:0)
add port_vlan 1 meta.port.ifindex:101 meta.bridge.tag_count:0 set_bd(bd:10)
add port_vlan 1 meta.port.ifindex:102 meta.bridge.tag_count:1 meta.bridge.outer_vid:10 set_bd(bd:10)
add port_vlan 1 meta.port.ifindex:103 meta.bridge.tag_count:0 set_bd(bd:20)
add port_vlan 1 meta.port.ifindex:104 meta.bridge.tag_count:0 set_bd(bd:99)
add bd_properties meta.bridge.bd:10 set_bd_properties(vrf:1, rmac_group:1, stp_group:0, learning:1, flood_group:10, flood_unknown:1, ipv4_enabled:1, ipv6_enabled:1, mcast_ipv4_enabled:0, urpf_mode:0, label:7)
add bd_properties meta.bridge.bd:20 set_bd_properties(vrf:1, rmac_group:1, stp_group:0, learning:1, flood_group:20, flood_unknown:0, ipv4_enabled:1, ipv6_enabled:0, mcast_ipv4_enabled:0, urpf_mode:2, label:0)
add bd_properties meta.bridge.bd:99 set_bd_properties(vrf:9, rmac_group:9, stp_group:0, learning:0, flood_group:0, flood_unknown:0, ipv4_enabled:1, ipv6_enabled:1, mcast_ipv4_enabled:0, urpf_mode:0, label:0)
add router_mac.rmac meta.route.rmac_group:1 meta.lookup.mac_dst:{mac(ROUTER)} NoAction()
add router_mac.rmac meta.route.rmac_group:9 meta.lookup.mac_dst:{mac(UNDERLAY)} NoAction()
add out_interface meta.egress.ifindex:101 set_port(port:1)
add out_interface meta.egress.ifindex:102 set_port(port:2)
add out_interface meta.egress.ifindex:103 set_port(port:3)
add out_interface meta.egress.ifindex:104 set_port(port:4)
add egress_port_properties standard_metadata.egress_port:1 set_egress_port(ifindex:101, label:0)
add egress_port_properties standard_metadata.egress_port:2 set_egress_port(ifindex:102, label:0)
add egress_port_properties standard_metadata.egress_port:3 set_egress_port(ifindex:103, label:0)
add egress_port_properties standard_metadata.egress_port:4 set_egress_port(ifindex:104, label:0)
add egress_bd_properties meta.egress.bd:10 set_egress_bd(smac_index:1, mtu:1500)
add egress_bd_properties meta.egress.bd:20 set_egress_bd(smac_index:1, mtu:100)
add egress_bd_properties meta.egress.bd:99 set_egress_bd(smac_index:2, mtu:9000)
add smac_rewrite meta.egress.smac_index:1 set_smac(smac:{mac(ROUTER)})
add smac_rewrite meta.egress.smac_index:2 set_smac(smac:{mac(UNDERLAY)})
add egress_vlan meta.egress.ifindex:101 meta.egress.bd:10 untagged()
add egress_vlan meta.egress.ifindex:102 meta.egress.bd:10 tagged(vid:10)
add egress_vlan meta.egress.ifindex:103 meta.egress.bd:20 untagged()
add egress_vlan meta.egress.ifindex:104 meta.egress.bd:99 untagged()
add egress_vlan meta.egress.ifindex:104 meta.egress.bd:10 untagged()
mc_mgrp_create 10
mc_node_create 0 1 2
mc_node_associate 10 0
mirroring_add 250 {CPU}
add bridge.dmac meta.bridge.bd:10 meta.lookup.mac_dst:{mac(A)} forward(ifindex:101)
add bridge.dmac meta.bridge.bd:10 meta.lookup.mac_dst:{mac(B)} forward(ifindex:102)
"""

ROUTES = f"""
add ipv4_fib_lpm meta.route.vrf:1 meta.lookup.ipv4_dst:0x0a000000/8 to_nexthop(nexthop:1)
add ipv4_fib_lpm meta.route.vrf:1 meta.lookup.ipv4_dst:0x0a140000/16 to_nexthop(nexthop:2)
add ipv4_fib meta.route.vrf:1 meta.lookup.ipv4_dst:0x0a000001 to_cpu(reason:5)
add nexthop meta.route.nexthop:1 to_neighbour(ifindex:101, bd:10, dmac:{mac(A)})
add nexthop meta.route.nexthop:2 to_neighbour(ifindex:103, bd:20, dmac:{mac(C)})
"""


def packet_in(port, ifindex, bd, reason):
    """The header in front of a packet for the control plane."""
    return Raw((port << 7).to_bytes(2, "big") + b"".join(value.to_bytes(2, "big") for value in (ifindex, bd, reason)))


def bridge():
    stf = Stf(
        "large: bridging and flooding between an untagged and a tagged port, copies and",
        "redirections to the control plane.",
        "spec: P4_16 §13.9 Header stacks (push_front); v1model clone_preserving_field_list, mcast_grp",
    )
    stf.command(SETUP)
    stf.note("Known stations; the tag keeps its PCP only on the wire that has tags.")
    stf.packet(1, Ether(src=A, dst=B, type=0x88B5) / DATA)
    stf.expect(2, Ether(src=A, dst=B) / Dot1Q(vlan=10, type=0x88B5) / DATA)
    stf.packet(2, Ether(src=B, dst=A) / Dot1Q(vlan=10, prio=5, type=0x88B5) / DATA)
    stf.expect(1, Ether(src=B, dst=A, type=0x88B5) / DATA)
    stf.note("Unknown: flooded to all but the source, which leaves port 2.")
    stf.packet(1, Ether(src=A, dst=C, type=0x88B5) / DATA)
    stf.expect(2, Ether(src=A, dst=C) / Dot1Q(vlan=10, type=0x88B5) / DATA)
    stf.note("An ARP request is flooded, and copied to the control plane with its header.")
    ask = ARP(op=1, hwsrc=A, psrc="10.0.0.9", hwdst="00:00:00:00:00:00", pdst="10.0.0.10")
    stf.packet(1, Ether(src=A, dst=BROADCAST) / ask)
    stf.expect(2, Ether(src=A, dst=BROADCAST) / Dot1Q(vlan=10) / ask)
    stf.expect(CPU, packet_in(1, 101, 10, 2) / Ether(src=A, dst=BROADCAST) / ask)
    stf.note("LLDP is for the control plane alone; the copy has the tag that came.")
    lldp = Ether(src=B, dst="01:80:c2:00:00:0e") / Dot1Q(vlan=10, type=0x88CC) / DATA
    stf.packet(2, lldp)
    stf.expect(CPU, packet_in(2, 102, 10, 1) / lldp)
    stf.note("Wrong tag, source zero, group as source, back to the same interface, an\nunknown station in a domain that does not flood them.")
    stf.packet(2, Ether(src=B, dst=A) / Dot1Q(vlan=11, type=0x88B5) / DATA)
    stf.packet(1, Ether(src="00:00:00:00:00:00", dst=B, type=0x88B5) / DATA)
    stf.packet(1, Ether(src="03:00:00:00:00:00", dst=B, type=0x88B5) / DATA)
    stf.packet(1, Ether(src=A, dst=A, type=0x88B5) / DATA)
    stf.packet(3, Ether(src=C, dst=A, type=0x88B5) / DATA)
    stf.command(
        """
wait
check_counter system_acl.drop_stats(3) packets == 1
check_counter system_acl.drop_stats(4) packets == 1
check_counter system_acl.drop_stats(5) packets == 1
check_counter system_acl.drop_stats(29) packets == 1
check_counter system_acl.drop_stats(32) packets == 1
check_counter cpu_packets(1) packets == 1
check_counter cpu_packets(2) packets == 1
"""
    )
    stf.note("From the control plane straight to a port: 9 bits port, 5 queue, bypass, 16 domain.")
    frame = Ether(src=ROUTER, dst=C, type=0x88B5) / DATA
    stf.packet(CPU, Raw((3 << 23 | 1 << 17).to_bytes(4, "big")) / frame)
    stf.expect(3, frame)
    stf.write(HERE / "large.bridge.stf")


def route():
    stf = Stf(
        "large: IPv4 routing with options in the header, strict reverse-path check, MTU,",
        "TTL and local addresses to the control plane.",
        "spec: P4_16 §13.8.2 Variable-width extraction; v1model update_checksum over a varbit",
    )
    stf.command(SETUP + ROUTES)
    udp = UDP(sport=1000, dport=2000) / DATA
    to_router = Ether(src=A, dst=ROUTER)
    stf.note("By the /16 to port 3, and by the /8 back to port 1; the host route is for us.")
    stf.packet(1, to_router / IP(src="10.0.0.9", dst="10.20.0.5") / udp)
    stf.expect(3, Ether(src=ROUTER, dst=C) / IP(src="10.0.0.9", dst="10.20.0.5", ttl=63) / udp)
    stf.packet(1, to_router / IP(src="10.0.0.9", dst="10.30.0.5") / udp)
    stf.expect(1, Ether(src=ROUTER, dst=A) / IP(src="10.0.0.9", dst="10.30.0.5", ttl=63) / udp)
    local = to_router / IP(src="10.0.0.9", dst="10.0.0.1") / udp
    stf.packet(1, local)
    stf.expect(CPU, packet_in(1, 101, 10, 5) / local)
    stf.note("Options of 4 and of 40 bytes are in the checksum, before and after.")
    for option in (b"\x94\x04\x00\x00", b"\x44\x28\x05\x00" + bytes(range(36))):
        stf.packet(1, to_router / IP(src="10.0.0.9", dst="10.20.0.5", options=[IPOption(option)]) / Raw(b"x"))
        stf.expect(3, Ether(src=ROUTER, dst=C) / IP(src="10.0.0.9", dst="10.20.0.5", ttl=63, options=[IPOption(option)]) / Raw(b"x"))
    stf.note("Domain 20 has an MTU of 100: 100 bytes of IP pass, 101 do not.")
    stf.packet(1, to_router / IP(src="10.0.0.9", dst="10.20.0.5") / UDP() / Raw(bytes(72)))
    stf.expect(3, Ether(src=ROUTER, dst=C) / IP(src="10.0.0.9", dst="10.20.0.5", ttl=63) / UDP() / Raw(bytes(72)))
    stf.packet(1, to_router / IP(src="10.0.0.9", dst="10.20.0.5") / UDP() / Raw(bytes(73)))
    stf.note("TTL 1: dropped, and the control plane hears of it.")
    last = to_router / IP(src="10.0.0.9", dst="10.20.0.5", ttl=1) / udp
    stf.packet(1, last)
    stf.expect(CPU, packet_in(1, 101, 10, 3) / last)
    stf.note("Wrong checksum, loopback source, no route.")
    stf.packet(1, to_router / IP(src="10.0.0.9", dst="10.20.0.5", chksum=0x1234) / udp)
    stf.packet(1, to_router / IP(src="127.0.0.9", dst="10.20.0.5") / udp)
    stf.packet(1, to_router / IP(src="10.0.0.9", dst="11.0.0.5") / udp)
    stf.note("Port 3 checks sources strictly: 10.20/16 belongs there, 10.30/16 to domain 10,\n12/8 nowhere; a group of domains lets 10.40/16 in.")
    stf.command(
        """
add ipv4_urpf meta.route.vrf:1 meta.lookup.ipv4_src:0x0a140000/16 urpf_found(bd:20)
add ipv4_urpf meta.route.vrf:1 meta.lookup.ipv4_src:0x0a1e0000/16 urpf_found(bd:10)
add ipv4_urpf meta.route.vrf:1 meta.lookup.ipv4_src:0x0a280000/16 urpf_found_several(group:500)
add urpf_members meta.route.urpf_bd:500 meta.bridge.bd:20 NoAction()
"""
    )
    from_c = Ether(src=C, dst=ROUTER)
    for source, good in (("10.20.0.5", True), ("10.30.0.5", False), ("12.0.0.1", False), ("10.40.0.5", True)):
        stf.packet(3, from_c / IP(src=source, dst="10.30.0.9") / udp)
        if good:
            stf.expect(1, Ether(src=ROUTER, dst=A) / IP(src=source, dst="10.30.0.9", ttl=63) / udp)
    stf.note("IPv6 is not enabled in domain 20: for the control plane.")
    v6 = from_c / IPv6(src="2001:db8::5", dst="2001:db8::9") / udp
    stf.packet(3, v6)
    stf.expect(CPU, packet_in(3, 103, 20, 5) / v6)
    stf.command(
        """
wait
check_counter system_acl.drop_stats(11) packets == 1
check_counter system_acl.drop_stats(12) packets == 1
check_counter system_acl.drop_stats(14) packets == 1
check_counter system_acl.drop_stats(19) packets == 2
check_counter system_acl.drop_stats(20) packets == 1
check_counter SwitchEgress.drop_stats(35) packets == 1
"""
    )
    stf.write(HERE / "large.route.stf")


def vxlan():
    stf = Stf(
        "large: VXLAN. A frame of bridge domain 10 goes into VNI 5000 and comes out of it;",
        "unknown networks and far ends are dropped. RFC 7348.",
        "spec: P4_16 §8.18 Operations on headers (assignment); v1model hash (crc16)",
    )
    stf.command(SETUP)
    stf.command(
        f"""
add bridge.dmac meta.bridge.bd:10 meta.lookup.mac_dst:{mac(C)} forward_nexthop(nexthop:50)
add nexthop meta.route.nexthop:50 bridge_tunnel(ifindex:104, tunnel_index:7, vni:5000)
add tunnel meta.tunnel.egress_index:7 ipv4_tunnel(type_of_tunnel:1, src:0xc0000201, dst:0xc0000202)
add tunnel_macs meta.tunnel.egress_index:7 standard_metadata.egress_port:4 set_tunnel_macs(smac:{mac(UNDERLAY)}, dmac:{mac(SPINE)})
add tunnel_dst_ipv4 meta.route.vrf:9 hdr.ipv4.dstAddr:0xc0000201 meta.tunnel.ingress_type:1 terminate()
add tunnel_src_ipv4 meta.route.vrf:9 hdr.ipv4.srcAddr:0xc0000202 meta.tunnel.ingress_type:1 set_source(ifindex:207)
add tunnel_vni meta.tunnel.ingress_type:1 meta.tunnel.ingress_vni:5000 set_tenant(bd:10, vrf:1, rmac_group:1, flood_group:10, flood_unknown:1, learning:1, ipv4_enabled:1, ipv6_enabled:1, label:0)
add tenant_mac.rmac meta.route.rmac_group:1 meta.lookup.mac_dst:{mac(ROUTER)} NoAction()
"""
    )
    stf.command(ROUTES)

    def outside(inner, sport, tos=0, vni=5000, src="192.0.2.1", dst="192.0.2.2", smac=UNDERLAY, dmac=SPINE):
        outer = Ether(src=smac, dst=dmac) / IP(src=src, dst=dst, ttl=64, id=0, flags="DF", tos=tos)
        return outer / UDP(sport=sport, dport=4789, chksum=0) / VXLAN(flags=8, vni=vni) / inner

    stf.note("In: the flow chooses the source port, the DSCP is copied.")
    inner = Ether(src=A, dst=C) / IP(src="10.0.0.9", dst="10.0.0.8", tos=0xB8) / UDP(sport=1234, dport=5678) / DATA
    stf.packet(1, inner)
    stf.expect(4, outside(inner, flow_port("10.0.0.9", "10.0.0.8", 17, 1234, 5678), tos=0xB8))
    stf.note("In from the tagged port: the tag stays behind. TCP.")
    tcp = IP(src="10.0.0.7", dst="10.0.0.8") / TCP(sport=80, dport=43210, flags="A") / DATA
    stf.packet(2, Ether(src=B, dst=C) / Dot1Q(vlan=10) / tcp)
    stf.expect(4, outside(Ether(src=B, dst=C) / tcp, flow_port("10.0.0.7", "10.0.0.8", 6, 80, 43210)))

    def arrives(inner, **fields):
        stf.packet(4, outside(inner, 50000, src=fields.pop("src", "192.0.2.2"), dst="192.0.2.1", smac=SPINE, dmac=UNDERLAY, **fields))

    stf.note("Out: to a station, to the tagged port, and routed to domain 20.")
    answer = Ether(src=C, dst=A) / IP(src="10.0.0.8", dst="10.0.0.9") / UDP(sport=5678, dport=1234) / DATA
    arrives(answer)
    stf.expect(1, answer)
    arrives(Ether(src=C, dst=B) / tcp)
    stf.expect(2, Ether(src=C, dst=B) / Dot1Q(vlan=10) / tcp)
    arrives(Ether(src=C, dst=ROUTER) / IP(src="10.0.0.8", dst="10.20.0.5") / UDP(sport=1, dport=2) / DATA)
    stf.expect(3, Ether(src=ROUTER, dst=C) / IP(src="10.0.0.8", dst="10.20.0.5", ttl=63) / UDP(sport=1, dport=2) / DATA)
    stf.note("Unknown stations flood to both ports, but not into a tunnel again.")
    arrives(Ether(src=C, dst="02:00:00:00:77:77", type=0x88B5) / DATA)
    stf.expect(1, Ether(src=C, dst="02:00:00:00:77:77", type=0x88B5) / DATA)
    stf.expect(2, Ether(src=C, dst="02:00:00:00:77:77") / Dot1Q(vlan=10, type=0x88B5) / DATA)
    stf.note("An unknown network, an unknown far end.")
    arrives(answer, vni=5001)
    arrives(answer, src="192.0.2.3")
    stf.command("wait\ncheck_counter system_acl.drop_stats(16) packets == 1\ncheck_counter system_acl.drop_stats(15) packets == 1")
    stf.write(HERE / "large.vxlan.stf")


def mpls():
    stf = Stf(
        "large: MPLS and GRE. A route into two labels, swap, penultimate hop, pop into a",
        "routing table; a route into GRE and out of it.",
        "spec: P4_16 §13.9 Header stacks (push_front, pop_front); §13.8.3 Lookahead",
    )
    stf.command(SETUP + ROUTES)
    stf.command(
        f"""
add ipv4_fib_lpm meta.route.vrf:1 meta.lookup.ipv4_dst:0xc6336400/24 to_nexthop(nexthop:60)
add nexthop meta.route.nexthop:60 to_tunnel(ifindex:104, bd:99, dmac:{mac(SPINE)}, tunnel_index:8, vni:0)
add tunnel meta.tunnel.egress_index:8 mpls_2(type_of_tunnel:6, top:0xabcde, bottom:17)
add nexthop meta.route.nexthop:61 to_neighbour(ifindex:104, bd:99, dmac:{mac(SPINE)})
add mpls_label label:100 bos:0 mpls_swap(label:200, nexthop:61)
add mpls_label label:300 bos:1 mpls_php(nexthop:61)
add mpls_label label:400 bos:1 mpls_pop_l3(vrf:1, bd:99)
add ipv4_fib_lpm meta.route.vrf:1 meta.lookup.ipv4_dst:0xcb007100/24 to_nexthop(nexthop:62)
add nexthop meta.route.nexthop:62 to_tunnel(ifindex:104, bd:99, dmac:{mac(SPINE)}, tunnel_index:9, vni:0)
add tunnel meta.tunnel.egress_index:9 ipv4_tunnel(type_of_tunnel:2, src:0xc0000201, dst:0xc0000203)
add tunnel_dst_ipv4 meta.route.vrf:9 hdr.ipv4.dstAddr:0xc0000201 meta.tunnel.ingress_type:2 terminate()
add tunnel_src_ipv4 meta.route.vrf:9 hdr.ipv4.srcAddr:0xc0000203 meta.tunnel.ingress_type:2 set_source(ifindex:209)
add tunnel_vni meta.tunnel.ingress_type:2 meta.tunnel.ingress_vni:0 set_tenant(bd:99, vrf:1, rmac_group:1, flood_group:0, flood_unknown:0, learning:0, ipv4_enabled:1, ipv6_enabled:1, label:0)
"""
    )
    udp = UDP(sport=1000, dport=2000) / DATA
    to_router = Ether(src=A, dst=ROUTER)
    arriving = Ether(src=SPINE, dst=UNDERLAY)
    leaving = Ether(src=UNDERLAY, dst=SPINE)
    stf.note("Routed, TTL down, two labels with TTL 64 in front.")
    stf.packet(1, to_router / IP(src="10.0.0.9", dst="198.51.100.1") / udp)
    labels = MPLS(label=0xABCDE, s=0, ttl=64) / MPLS(label=17, s=1, ttl=64)
    stf.expect(4, leaving / labels / IP(src="10.0.0.9", dst="198.51.100.1", ttl=63) / udp)
    inside = IP(src="198.51.100.1", dst="10.20.0.5", ttl=9) / udp
    stf.note("Swap 100 to 200, label TTL down, nothing else; TTL 1 stops.")
    bottom = MPLS(label=5, cos=3, s=1, ttl=70)
    stf.packet(4, arriving / MPLS(label=100, cos=6, s=0, ttl=33) / bottom / inside)
    stf.expect(4, leaving / MPLS(label=200, cos=6, s=0, ttl=32) / bottom / inside)
    stf.packet(4, arriving / MPLS(label=100, cos=6, s=0, ttl=1) / bottom / inside)
    stf.note("The last label goes: the EtherType says what is below.")
    stf.packet(4, arriving / MPLS(label=300, s=1, ttl=33) / inside)
    stf.expect(4, leaving / inside)
    stf.note("Label 400 is routing table 1: the packet goes to domain 20, its own TTL down.")
    stf.packet(4, arriving / MPLS(label=400, s=1, ttl=33) / inside)
    stf.expect(3, Ether(src=ROUTER, dst=C) / IP(src="198.51.100.1", dst="10.20.0.5", ttl=8) / udp)
    stf.note("Unknown label; the wrong bottom-of-stack bit; four labels are one too many.")
    stf.packet(4, arriving / MPLS(label=101, s=1, ttl=33) / inside)
    stf.packet(4, arriving / MPLS(label=100, s=1, ttl=33) / inside)
    stf.packet(4, arriving / MPLS(label=100, s=0) / MPLS(label=1, s=0) / MPLS(label=2, s=0) / MPLS(label=3, s=1) / inside)
    stf.note("GRE: the packet without its Ethernet header, protocol 0x0800.")
    stf.packet(1, to_router / IP(src="10.0.0.9", dst="203.0.113.1", tos=0x28) / udp)
    stf.expect(
        4,
        leaving / IP(src="192.0.2.1", dst="192.0.2.3", ttl=64, id=0, flags="DF", tos=0x28, proto=47) / GRE(proto=0x0800)
        / IP(src="10.0.0.9", dst="203.0.113.1", ttl=63, tos=0x28) / udp,
    )  # fmt: skip
    stf.packet(4, arriving / IP(src="192.0.2.3", dst="192.0.2.1") / GRE(proto=0x0800) / inside)
    stf.expect(3, Ether(src=ROUTER, dst=C) / IP(src="198.51.100.1", dst="10.20.0.5", ttl=8) / udp)
    stf.command(
        """
wait
check_counter system_acl.drop_stats(1) packets == 1
check_counter system_acl.drop_stats(17) packets == 2
check_counter system_acl.drop_stats(18) packets == 1
"""
    )
    stf.write(HERE / "large.mpls.stf")


def acl():
    stf = Stf(
        "large: access lists over port ranges, redirection, double tags on the way out,",
        "DSCP remarked and the checksum with it.",
        "spec: P4_16 §14.2.1 Table properties (range, ternary); v1model range",
    )
    stf.command(SETUP + ROUTES)
    stf.command(
        f"""
add src_range 1 meta.lookup.ip_protocol:17 meta.lookup.l4_src:0..1023 set_src_range(set:1)
add dst_range 1 meta.lookup.ip_protocol:17 meta.lookup.l4_dst:8000..8999 set_dst_range(set:4)
add ingress_acl.ipv4_acl 10 meta.acl.label:7 meta.acl.dst_range:0b*****1** deny(stats_index:1, reason:24)
add ingress_acl.ipv4_acl 20 meta.acl.label:7 meta.acl.dst_range:0b*****1** meta.acl.src_range:0x01 permit(stats_index:2)
add ingress_acl.ipv4_acl 5 meta.lookup.ipv4_dst:0x0a140063 redirect(stats_index:3, nexthop:1)
add class_to_marks 1 meta.egress.ifindex:103 mark(dscp:46, pcp:5)
add egress_vlan meta.egress.ifindex:103 meta.egress.bd:10 double_tagged(outer:200, inner:30)
add bridge.dmac meta.bridge.bd:10 meta.lookup.mac_dst:{mac(C)} forward(ifindex:103)
"""
    )
    bridged = Ether(src=A, dst=B)

    def packet(sport, dport):
        return IP(src="10.0.0.9", dst="10.0.0.8") / UDP(sport=sport, dport=dport) / DATA

    stf.note("Ports 8000 to 8999 are denied unless the source port is below 1024.")
    for sport, dport, good in ((5000, 7999, True), (5000, 8000, False), (5000, 8999, False), (5000, 9000, True),
                               (1023, 8500, True), (1024, 8500, False), (0, 8000, True)):  # fmt: skip
        stf.packet(1, bridged / packet(sport, dport))
        if good:
            stf.expect(2, bridged / Dot1Q(vlan=10) / packet(sport, dport))
    stf.note("The range is one of UDP: TCP passes.")
    tcp = IP(src="10.0.0.9", dst="10.0.0.8") / TCP(sport=5000, dport=8500) / DATA
    stf.packet(1, bridged / tcp)
    stf.expect(2, bridged / Dot1Q(vlan=10) / tcp)
    stf.note("Bridged to port 3: two tags with PCP 5, and DSCP 46 (TOS 0xb8).")
    stf.packet(1, Ether(src=A, dst=C) / packet(1, 2))
    marked = IP(src="10.0.0.9", dst="10.0.0.8", tos=0xB8) / UDP(sport=1, dport=2) / DATA
    stf.expect(3, Ether(src=A, dst=C, type=0x88A8) / Dot1AD(vlan=200, prio=5, type=0x8100) / Dot1Q(vlan=30, prio=5) / marked)
    stf.note("10.20.0.99 would leave by port 3; the list sends it to port 1.")
    stf.packet(1, Ether(src=A, dst=ROUTER) / IP(src="10.0.0.9", dst="10.20.0.99") / UDP(sport=1, dport=2) / DATA)
    stf.expect(1, Ether(src=ROUTER, dst=A) / IP(src="10.0.0.9", dst="10.20.0.99", ttl=63) / UDP(sport=1, dport=2) / DATA)
    stf.command(
        """
wait
check_counter acl_stats(1) packets == 3
check_counter acl_stats(2) packets == 2
check_counter acl_stats(3) packets == 1
check_counter system_acl.drop_stats(24) packets == 3
"""
    )
    stf.write(HERE / "large.acl.stf")


for test in (bridge, route, vxlan, mpls, acl):
    test()
