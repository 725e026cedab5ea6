// The parser: two tags, three labels, IPv4 with options, IPv6, and one level
// of tunnel with what is inside it.

#ifndef LARGE_PARSER_P4
#define LARGE_PARSER_P4

parser SwitchParser(packet_in packet,
                    out headers_t hdr,
                    inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    state start {
        transition select(standard_metadata.ingress_port) {
            CPU_PORT: parse_packet_out;
            default:  parse_ethernet;
        }
    }

    state parse_packet_out {
        packet.extract(hdr.packet_out);
        meta.egress.from_cpu = 1;
        meta.egress.bypass = hdr.packet_out.bypass;
        transition parse_ethernet;
    }

    // ---- Layer 2 ------------------------------------------------------

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        meta.lookup.mac_src = hdr.ethernet.srcAddr;
        meta.lookup.mac_dst = hdr.ethernet.dstAddr;
        meta.lookup.mac_type = hdr.ethernet.etherType;
        transition select(hdr.ethernet.etherType) {
            ETHERTYPE_VLAN: parse_vlan;
            ETHERTYPE_QINQ: parse_vlan;
            ETHERTYPE_MPLS: parse_mpls;
            ETHERTYPE_ARP:  parse_arp;
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: accept;
        }
    }

    state parse_vlan {
        packet.extract(hdr.vlan_tag[0]);
        meta.bridge.tag_count = 1;
        meta.bridge.outer_vid = hdr.vlan_tag[0].vid;
        meta.lookup.pcp = hdr.vlan_tag[0].pcp;
        meta.lookup.mac_type = hdr.vlan_tag[0].etherType;
        transition select(hdr.vlan_tag[0].etherType) {
            ETHERTYPE_VLAN: parse_second_vlan;
            ETHERTYPE_MPLS: parse_mpls;
            ETHERTYPE_ARP:  parse_arp;
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: accept;
        }
    }

    state parse_second_vlan {
        packet.extract(hdr.vlan_tag[1]);
        meta.bridge.tag_count = 2;
        meta.bridge.inner_vid = hdr.vlan_tag[1].vid;
        meta.lookup.mac_type = hdr.vlan_tag[1].etherType;
        transition select(hdr.vlan_tag[1].etherType) {
            ETHERTYPE_MPLS: parse_mpls;
            ETHERTYPE_ARP:  parse_arp;
            ETHERTYPE_IPV4: parse_ipv4;
            ETHERTYPE_IPV6: parse_ipv6;
            default: accept;
        }
    }

    state parse_arp {
        packet.extract(hdr.arp);
        transition accept;
    }

    // ---- MPLS ---------------------------------------------------------

    // A fourth label ends in StackOutOfBounds, and the packet is dropped.
    state parse_mpls {
        packet.extract(hdr.mpls.next);
        transition select(hdr.mpls.last.bos) {
            0: parse_mpls;
            1: parse_mpls_bottom;
        }
    }

    // Below the last label there is no type: the first nibble has to do
    // (RFC 4385, 1). 4 and 6 are IP, anything else is a pseudowire's frame.
    state parse_mpls_bottom {
        transition select(packet.lookahead<bit<4>>()) {
            4: parse_mpls_inner_ipv4;
            6: parse_mpls_inner_ipv6;
            default: parse_mpls_inner_ethernet;
        }
    }

    state parse_mpls_inner_ipv4 {
        meta.tunnel.ingress_type = TunnelType.MPLS_L3;
        transition parse_inner_ipv4;
    }

    state parse_mpls_inner_ipv6 {
        meta.tunnel.ingress_type = TunnelType.MPLS_L3;
        transition parse_inner_ipv6;
    }

    state parse_mpls_inner_ethernet {
        meta.tunnel.ingress_type = TunnelType.MPLS_L2;
        transition parse_inner_ethernet;
    }

    // ---- IP -----------------------------------------------------------

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        verify(hdr.ipv4.version == 4, error.BadIpv4Version);
        verify(hdr.ipv4.ihl >= IHL_NO_OPTIONS, error.BadIpv4HeaderLength);
        meta.lookup.ip_type = IpType.IPV4;
        meta.lookup.ipv4_src = hdr.ipv4.srcAddr;
        meta.lookup.ipv4_dst = hdr.ipv4.dstAddr;
        meta.lookup.dscp = hdr.ipv4.dscp;
        meta.lookup.ecn = hdr.ipv4.ecn;
        meta.lookup.ip_protocol = hdr.ipv4.protocol;
        meta.lookup.ip_ttl = hdr.ipv4.ttl;
        transition select(hdr.ipv4.ihl) {
            IHL_NO_OPTIONS: parse_ipv4_payload;
            default: parse_ipv4_options;
        }
    }

    state parse_ipv4_options {
        packet.extract(hdr.ipv4_options,
                       ((bit<32>) hdr.ipv4.ihl - (bit<32>) IHL_NO_OPTIONS) * 32);
        transition parse_ipv4_payload;
    }

    state parse_ipv4_payload {
        transition select(hdr.ipv4.fragOffset, hdr.ipv4.protocol) {
            (0, PROTOCOL_ICMP): parse_icmp;
            (0, PROTOCOL_TCP):  parse_tcp;
            (0, PROTOCOL_UDP):  parse_udp;
            (0, PROTOCOL_GRE):  parse_gre;
            (0, PROTOCOL_IPV4): parse_ip_in_ip_ipv4;
            (0, PROTOCOL_IPV6): parse_ip_in_ip_ipv6;
            (0, _):             accept;
            default:            parse_fragment;
        }
    }

    state parse_fragment {
        meta.lookup.ip_fragment = 1;
        transition accept;
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        verify(hdr.ipv6.version == 6, error.BadIpv6Version);
        meta.lookup.ip_type = IpType.IPV6;
        meta.lookup.ipv6_src = hdr.ipv6.srcAddr;
        meta.lookup.ipv6_dst = hdr.ipv6.dstAddr;
        meta.lookup.dscp = hdr.ipv6.dscp;
        meta.lookup.ecn = hdr.ipv6.ecn;
        meta.lookup.ip_protocol = hdr.ipv6.nextHdr;
        meta.lookup.ip_ttl = hdr.ipv6.hopLimit;
        transition select(hdr.ipv6.nextHdr) {
            PROTOCOL_ICMPV6: parse_icmp;
            PROTOCOL_TCP:    parse_tcp;
            PROTOCOL_UDP:    parse_udp;
            PROTOCOL_GRE:    parse_gre;
            PROTOCOL_IPV4:   parse_ip_in_ip_ipv4;
            PROTOCOL_IPV6:   parse_ip_in_ip_ipv6;
            default: accept;
        }
    }

    // ---- Layer 4 ------------------------------------------------------

    state parse_icmp {
        packet.extract(hdr.icmp);
        // The tables see type and code where others have their ports.
        meta.lookup.l4_src = hdr.icmp.type ++ hdr.icmp.code;
        transition accept;
    }

    state parse_tcp {
        packet.extract(hdr.tcp);
        meta.lookup.l4_src = hdr.tcp.srcPort;
        meta.lookup.l4_dst = hdr.tcp.dstPort;
        meta.lookup.tcp_flags = hdr.tcp.flags;
        transition accept;
    }

    state parse_udp {
        packet.extract(hdr.udp);
        meta.lookup.l4_src = hdr.udp.srcPort;
        meta.lookup.l4_dst = hdr.udp.dstPort;
        transition select(hdr.udp.dstPort) {
            UDP_PORT_VXLAN: parse_vxlan;
            UDP_PORT_INT:   parse_int;
            default: accept;
        }
    }

    // ---- Telemetry ----------------------------------------------------

    state parse_int {
        packet.extract(hdr.int_shim);
        packet.extract(hdr.int_header);
        transition select(hdr.int_header.hopCount) {
            0: accept;
            1: parse_int_1;
            2: parse_int_2;
            3: parse_int_3;
            default: accept;
        }
    }

    state parse_int_3 {
        packet.extract(hdr.int_hop.next);
        transition parse_int_2;
    }

    state parse_int_2 {
        packet.extract(hdr.int_hop.next);
        transition parse_int_1;
    }

    state parse_int_1 {
        packet.extract(hdr.int_hop.next);
        transition accept;
    }

    // ---- Tunnels ------------------------------------------------------

    state parse_vxlan {
        packet.extract(hdr.vxlan);
        meta.tunnel.ingress_type = TunnelType.VXLAN;
        meta.tunnel.ingress_vni = hdr.vxlan.vni;
        transition parse_inner_ethernet;
    }

    // Only plain headers and those with a key; checksums and sequence numbers
    // are somebody else's.
    state parse_gre {
        packet.extract(hdr.gre);
        transition select(hdr.gre.c, hdr.gre.r, hdr.gre.k, hdr.gre.s, hdr.gre.version) {
            (0, 0, 0, 0, 0): parse_gre_payload;
            (0, 0, 1, 0, 0): parse_gre_key;
            default: accept;
        }
    }

    state parse_gre_key {
        packet.extract(hdr.gre_key);
        meta.tunnel.ingress_vni = hdr.gre_key.vsid;
        transition parse_gre_payload;
    }

    state parse_gre_payload {
        transition select(hdr.gre.protocol) {
            ETHERTYPE_IPV4: parse_gre_ipv4;
            ETHERTYPE_IPV6: parse_gre_ipv6;
            ETHERTYPE_TEB:  parse_gre_ethernet;
            default: accept;
        }
    }

    state parse_gre_ipv4 {
        meta.tunnel.ingress_type = TunnelType.GRE;
        transition parse_inner_ipv4;
    }

    state parse_gre_ipv6 {
        meta.tunnel.ingress_type = TunnelType.GRE;
        transition parse_inner_ipv6;
    }

    state parse_gre_ethernet {
        meta.tunnel.ingress_type = TunnelType.GRE_TAP;
        transition parse_inner_ethernet;
    }

    state parse_ip_in_ip_ipv4 {
        meta.tunnel.ingress_type = TunnelType.IP_IN_IP;
        transition parse_inner_ipv4;
    }

    state parse_ip_in_ip_ipv6 {
        meta.tunnel.ingress_type = TunnelType.IP_IN_IP;
        transition parse_inner_ipv6;
    }

    // ---- Inside -------------------------------------------------------

    state parse_inner_ethernet {
        packet.extract(hdr.inner_ethernet);
        transition select(hdr.inner_ethernet.etherType) {
            ETHERTYPE_VLAN: parse_inner_vlan;
            ETHERTYPE_IPV4: parse_inner_ipv4;
            ETHERTYPE_IPV6: parse_inner_ipv6;
            default: accept;
        }
    }

    state parse_inner_vlan {
        packet.extract(hdr.inner_vlan_tag);
        transition select(hdr.inner_vlan_tag.etherType) {
            ETHERTYPE_IPV4: parse_inner_ipv4;
            ETHERTYPE_IPV6: parse_inner_ipv6;
            default: accept;
        }
    }

    state parse_inner_ipv4 {
        packet.extract(hdr.inner_ipv4);
        transition select(hdr.inner_ipv4.ihl,
                          hdr.inner_ipv4.fragOffset,
                          hdr.inner_ipv4.protocol) {
            (IHL_NO_OPTIONS, 0, PROTOCOL_ICMP): parse_inner_icmp;
            (IHL_NO_OPTIONS, 0, PROTOCOL_TCP):  parse_inner_tcp;
            (IHL_NO_OPTIONS, 0, PROTOCOL_UDP):  parse_inner_udp;
            default: accept;
        }
    }

    state parse_inner_ipv6 {
        packet.extract(hdr.inner_ipv6);
        transition select(hdr.inner_ipv6.nextHdr) {
            PROTOCOL_ICMPV6: parse_inner_icmp;
            PROTOCOL_TCP:    parse_inner_tcp;
            PROTOCOL_UDP:    parse_inner_udp;
            default: accept;
        }
    }

    state parse_inner_icmp {
        packet.extract(hdr.inner_icmp);
        transition accept;
    }

    state parse_inner_tcp {
        packet.extract(hdr.inner_tcp);
        transition accept;
    }

    state parse_inner_udp {
        packet.extract(hdr.inner_udp);
        transition accept;
    }
}

#endif
