// Tunnels that begin here: VXLAN over IPv4 and IPv6, GRE, IP in IP, MPLS.

#ifndef LARGE_TUNNEL_EGRESS_P4
#define LARGE_TUNNEL_EGRESS_P4

// Makes room: what was outside goes inside.
control MoveInside(inout headers_t hdr, inout metadata_t meta) {
    apply {
        if (hdr.ipv4.isValid()) {
            hdr.inner_ipv4 = hdr.ipv4;
            hdr.inner_ipv4_options = hdr.ipv4_options;
            meta.egress.inner_ipv4_changed =
                hdr.ipv4_options.isValid() ? 1w0 : meta.egress.ipv4_changed;
            meta.tunnel.inner_protocol = PROTOCOL_IPV4;
            hdr.ipv4.setInvalid();
            hdr.ipv4_options.setInvalid();
        } else if (hdr.ipv6.isValid()) {
            hdr.inner_ipv6 = hdr.ipv6;
            meta.tunnel.inner_protocol = PROTOCOL_IPV6;
            hdr.ipv6.setInvalid();
        } else if (hdr.arp.isValid()) {
            hdr.inner_arp = hdr.arp;
            hdr.arp.setInvalid();
        }
        if (hdr.icmp.isValid()) {
            hdr.inner_icmp = hdr.icmp;
            hdr.icmp.setInvalid();
        } else if (hdr.tcp.isValid()) {
            hdr.inner_tcp = hdr.tcp;
            hdr.tcp.setInvalid();
        } else if (hdr.udp.isValid()) {
            hdr.inner_udp = hdr.udp;
            hdr.udp.setInvalid();
        }
    }
}

control TunnelEncapsulation(inout headers_t hdr,
                            inout metadata_t meta,
                            inout standard_metadata_t standard_metadata) {
    direct_counter(CounterType.packets_and_bytes) tunnel_packets;
    MoveInside() move_inside;

    // What the rows of `tunnel` say; the headers are built from it below.
    ipv4_addr_t src4 = 0;
    ipv4_addr_t dst4 = 0;
    ipv6_addr_t src6 = 0;
    ipv6_addr_t dst6 = 0;
    bit<1> over_ipv6 = 0;
    bit<20> label0 = 0;
    bit<20> label1 = 0;
    bit<20> label2 = 0;
    bit<2> labels = 0;

    action ipv4_tunnel(TunnelType type_of_tunnel, ipv4_addr_t src, ipv4_addr_t dst) {
        meta.tunnel.egress_type = type_of_tunnel;
        src4 = src;
        dst4 = dst;
    }

    action ipv6_tunnel(TunnelType type_of_tunnel, ipv6_addr_t src, ipv6_addr_t dst) {
        meta.tunnel.egress_type = type_of_tunnel;
        over_ipv6 = 1;
        src6 = src;
        dst6 = dst;
    }

    action mpls_1(TunnelType type_of_tunnel, bit<20> label) {
        meta.tunnel.egress_type = type_of_tunnel;
        labels = 1;
        label0 = label;
    }

    action mpls_2(TunnelType type_of_tunnel, bit<20> top, bit<20> bottom) {
        meta.tunnel.egress_type = type_of_tunnel;
        labels = 2;
        label0 = top;
        label1 = bottom;
    }

    action mpls_3(TunnelType type_of_tunnel, bit<20> top, bit<20> middle, bit<20> bottom) {
        meta.tunnel.egress_type = type_of_tunnel;
        labels = 3;
        label0 = top;
        label1 = middle;
        label2 = bottom;
    }

    table tunnel {
        key = { meta.tunnel.egress_index: exact; }
        actions = { ipv4_tunnel; ipv6_tunnel; mpls_1; mpls_2; mpls_3; NoAction; }
        const default_action = NoAction();
        counters = tunnel_packets;
        size = 4096;
    }

    action set_tunnel_macs(mac_addr_t smac, mac_addr_t dmac) {
        hdr.ethernet.srcAddr = smac;
        hdr.ethernet.dstAddr = dmac;
    }

    // The next router on the way to the far end.
    table tunnel_macs {
        key = {
            meta.tunnel.egress_index: exact;
            standard_metadata.egress_port: exact;
        }
        actions = { set_tunnel_macs; NoAction; }
        const default_action = NoAction();
        size = 8192;
    }

    action outer_ipv4(bit<8> protocol) {
        hdr.ipv4.setValid();
        hdr.ipv4.version = 4;
        hdr.ipv4.ihl = IHL_NO_OPTIONS;
        hdr.ipv4.dscp = meta.lookup.dscp;
        hdr.ipv4.ecn = meta.lookup.ecn;
        hdr.ipv4.totalLen = meta.tunnel.frame_length + IPV4_HEADER_LEN;
        hdr.ipv4.identification = 0;
        hdr.ipv4.flags = 2;
        hdr.ipv4.fragOffset = 0;
        hdr.ipv4.ttl = ENCAP_TTL;
        hdr.ipv4.protocol = protocol;
        hdr.ipv4.hdrChecksum = 0;
        hdr.ipv4.srcAddr = src4;
        hdr.ipv4.dstAddr = dst4;
        hdr.ethernet.etherType = ETHERTYPE_IPV4;
        meta.tunnel.frame_length = meta.tunnel.frame_length + IPV4_HEADER_LEN;
        meta.egress.ipv4_changed = 1;
    }

    action outer_ipv6(bit<8> protocol) {
        hdr.ipv6.setValid();
        hdr.ipv6.version = 6;
        hdr.ipv6.dscp = meta.lookup.dscp;
        hdr.ipv6.ecn = meta.lookup.ecn;
        hdr.ipv6.flowLabel = (bit<20>) meta.tunnel.flow_entropy;
        hdr.ipv6.payloadLen = meta.tunnel.frame_length;
        hdr.ipv6.nextHdr = protocol;
        hdr.ipv6.hopLimit = ENCAP_TTL;
        hdr.ipv6.srcAddr = src6;
        hdr.ipv6.dstAddr = dst6;
        hdr.ethernet.etherType = ETHERTYPE_IPV6;
        meta.tunnel.frame_length = meta.tunnel.frame_length + IPV6_HEADER_LEN;
    }

    // The whole frame is payload from now on.
    action keep_ethernet() {
        hdr.inner_ethernet = hdr.ethernet;
    }

    // Only the packet is.
    action drop_ethernet() {
        meta.tunnel.frame_length = meta.tunnel.frame_length - ETHERNET_HEADER_LEN;
    }

    action add_ethernet() {
        meta.tunnel.frame_length = meta.tunnel.frame_length + ETHERNET_HEADER_LEN;
    }

    action add_vxlan() {
        hdr.vxlan.setValid();
        hdr.vxlan.flags = 0x08;
        hdr.vxlan.reserved = 0;
        hdr.vxlan.vni = meta.tunnel.egress_vni;
        hdr.vxlan.reserved2 = 0;
        hdr.udp.setValid();
        // RFC 7348, 5: a source port from the flow, in the dynamic range.
        hdr.udp.srcPort = 0xc000 | (meta.tunnel.flow_entropy & 0x3fff);
        hdr.udp.dstPort = UDP_PORT_VXLAN;
        hdr.udp.length = meta.tunnel.frame_length + UDP_HEADER_LEN + VXLAN_HEADER_LEN;
        hdr.udp.checksum = 0;
        meta.tunnel.frame_length =
            meta.tunnel.frame_length + UDP_HEADER_LEN + VXLAN_HEADER_LEN;
    }

    action add_gre(bit<16> protocol) {
        hdr.gre.setValid();
        hdr.gre = { 0, 0, 0, 0, 0, 0, protocol };
        meta.tunnel.frame_length = meta.tunnel.frame_length + GRE_HEADER_LEN;
    }

    action add_gre_with_key(bit<16> protocol) {
        add_gre(protocol);
        hdr.gre.k = 1;
        hdr.gre_key.setValid();
        hdr.gre_key.vsid = meta.tunnel.egress_vni;
        hdr.gre_key.flow = meta.tunnel.flow_entropy[7:0];
        meta.tunnel.frame_length = meta.tunnel.frame_length + GRE_KEY_LEN;
    }

    action push_label(bit<20> label, bit<1> bottom) {
        hdr.mpls.push_front(1);
        hdr.mpls[0].setValid();
        hdr.mpls[0].label = label;
        hdr.mpls[0].tc = meta.qos.traffic_class[2:0];
        hdr.mpls[0].bos = bottom;
        hdr.mpls[0].ttl = ENCAP_TTL;
        meta.tunnel.frame_length = meta.tunnel.frame_length + MPLS_LABEL_LEN;
    }

    action nested() {
        meta.egress.drop_reason = DropReason.NESTED_TUNNEL;
    }

    apply {
        if (meta.tunnel.egress_index != 0 && tunnel.apply().hit) {
            bool l2_payload = meta.tunnel.egress_type == TunnelType.VXLAN
                || meta.tunnel.egress_type == TunnelType.GRE_TAP
                || meta.tunnel.egress_type == TunnelType.MPLS_L2;

            // One level is all there is room for.
            if (hdr.gre.isValid() || hdr.vxlan.isValid() || hdr.int_shim.isValid()
                || hdr.inner_ipv4.isValid() || hdr.inner_ipv6.isValid()) {
                nested();
                return;
            }

            if (meta.tunnel.egress_type != TunnelType.MPLS_L3) {
                if (l2_payload) {
                    keep_ethernet();
                    if (hdr.vlan_tag[0].isValid()) {
                        hdr.inner_vlan_tag = hdr.vlan_tag[0];
                        hdr.vlan_tag[0].setInvalid();
                    }
                } else {
                    drop_ethernet();
                }
                move_inside.apply(hdr, meta);
            }

            bit<16> payload_type =
                meta.tunnel.inner_protocol == PROTOCOL_IPV6 ? ETHERTYPE_IPV6 : ETHERTYPE_IPV4;
            bit<8> protocol = meta.tunnel.inner_protocol;

            if (meta.tunnel.egress_type == TunnelType.VXLAN) {
                add_vxlan();
                protocol = PROTOCOL_UDP;
            } else if (meta.tunnel.egress_type == TunnelType.GRE) {
                add_gre(payload_type);
                protocol = PROTOCOL_GRE;
            } else if (meta.tunnel.egress_type == TunnelType.GRE_TAP) {
                add_gre_with_key(ETHERTYPE_TEB);
                protocol = PROTOCOL_GRE;
            }

            if (labels == 0) {
                if (over_ipv6 == 1) {
                    outer_ipv6(protocol);
                } else {
                    outer_ipv4(protocol);
                }
                add_ethernet();
            } else {
                // Bottom first.
                if (labels == 3) {
                    push_label(label2, 1);
                }
                if (labels >= 2) {
                    push_label(label1, labels == 2 ? 1w1 : 1w0);
                }
                push_label(label0, labels == 1 ? 1w1 : 1w0);
                hdr.ethernet.etherType = ETHERTYPE_MPLS;
                if (l2_payload) {
                    add_ethernet();
                }
            }
            tunnel_macs.apply();
        }
    }
}

#endif
