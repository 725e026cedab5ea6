// Tunnels that end here: VXLAN, GRE, IP in IP and MPLS.

#ifndef LARGE_TUNNEL_INGRESS_P4
#define LARGE_TUNNEL_INGRESS_P4

// Is the frame for the router at all?
control RouterMac(inout metadata_t meta) {
    table rmac {
        key = {
            meta.route.rmac_group: exact;
            meta.lookup.mac_dst: exact;
        }
        actions = { NoAction; }
        const default_action = NoAction();
        size = 512;
    }

    apply {
        meta.route.rmac_hit = rmac.apply().hit ? 1w1 : 1w0;
    }
}

// ---------------------------------------------------------------------------
// What is inside becomes what the tables look at
// ---------------------------------------------------------------------------

control LookupInner(in headers_t hdr, inout metadata_t meta) {
    action inner_ethernet_fields() {
        meta.lookup.mac_src = hdr.inner_ethernet.srcAddr;
        meta.lookup.mac_dst = hdr.inner_ethernet.dstAddr;
        meta.lookup.mac_type = hdr.inner_ethernet.etherType;
    }

    action inner_ipv4_fields() {
        meta.lookup.ip_type = IpType.IPV4;
        meta.lookup.ipv4_src = hdr.inner_ipv4.srcAddr;
        meta.lookup.ipv4_dst = hdr.inner_ipv4.dstAddr;
        meta.lookup.dscp = hdr.inner_ipv4.dscp;
        meta.lookup.ecn = hdr.inner_ipv4.ecn;
        meta.lookup.ip_protocol = hdr.inner_ipv4.protocol;
        meta.lookup.ip_ttl = hdr.inner_ipv4.ttl;
        meta.lookup.ip_fragment = hdr.inner_ipv4.fragOffset != 0 ? 1w1 : 1w0;
    }

    action inner_ipv6_fields() {
        meta.lookup.ip_type = IpType.IPV6;
        meta.lookup.ipv6_src = hdr.inner_ipv6.srcAddr;
        meta.lookup.ipv6_dst = hdr.inner_ipv6.dstAddr;
        meta.lookup.dscp = hdr.inner_ipv6.dscp;
        meta.lookup.ecn = hdr.inner_ipv6.ecn;
        meta.lookup.ip_protocol = hdr.inner_ipv6.nextHdr;
        meta.lookup.ip_ttl = hdr.inner_ipv6.hopLimit;
        meta.lookup.ip_fragment = 0;
    }

    action no_ip() {
        meta.lookup.ip_type = IpType.NONE;
        meta.lookup.ip_protocol = 0;
        meta.lookup.ip_fragment = 0;
    }

    action no_ports() {
        meta.lookup.l4_src = 0;
        meta.lookup.l4_dst = 0;
        meta.lookup.tcp_flags = 0;
    }

    apply {
        if (hdr.inner_ethernet.isValid()) {
            inner_ethernet_fields();
            if (hdr.inner_vlan_tag.isValid()) {
                meta.lookup.mac_type = hdr.inner_vlan_tag.etherType;
                meta.lookup.pcp = hdr.inner_vlan_tag.pcp;
            }
            if (meta.lookup.mac_dst == BROADCAST_MAC) {
                meta.lookup.packet_class = PacketClass.BROADCAST;
            } else if (meta.lookup.mac_dst[40:40] == 1) {
                meta.lookup.packet_class = PacketClass.MULTICAST;
            } else {
                meta.lookup.packet_class = PacketClass.UNICAST;
            }
        }
        if (hdr.inner_ipv4.isValid()) {
            inner_ipv4_fields();
        } else if (hdr.inner_ipv6.isValid()) {
            inner_ipv6_fields();
        } else {
            no_ip();
        }
        no_ports();
        if (hdr.inner_tcp.isValid()) {
            meta.lookup.l4_src = hdr.inner_tcp.srcPort;
            meta.lookup.l4_dst = hdr.inner_tcp.dstPort;
            meta.lookup.tcp_flags = hdr.inner_tcp.flags;
        } else if (hdr.inner_udp.isValid()) {
            meta.lookup.l4_src = hdr.inner_udp.srcPort;
            meta.lookup.l4_dst = hdr.inner_udp.dstPort;
        } else if (hdr.inner_icmp.isValid()) {
            meta.lookup.l4_src = hdr.inner_icmp.type ++ hdr.inner_icmp.code;
        }
    }
}

// ---------------------------------------------------------------------------
// The outer headers go, the inner ones take their place
// ---------------------------------------------------------------------------

control Decapsulate(inout headers_t hdr, inout metadata_t meta) {
    action remove_outer() {
        hdr.mpls[0].setInvalid();
        hdr.mpls[1].setInvalid();
        hdr.mpls[2].setInvalid();
        hdr.ipv4.setInvalid();
        hdr.ipv4_options.setInvalid();
        hdr.ipv6.setInvalid();
        hdr.udp.setInvalid();
        hdr.gre.setInvalid();
        hdr.gre_key.setInvalid();
        hdr.vxlan.setInvalid();
    }

    action take_inner_l3() {
        hdr.ipv4 = hdr.inner_ipv4;
        hdr.ipv6 = hdr.inner_ipv6;
        hdr.inner_ipv4.setInvalid();
        hdr.inner_ipv6.setInvalid();
    }

    action take_inner_l4() {
        hdr.icmp = hdr.inner_icmp;
        hdr.tcp = hdr.inner_tcp;
        hdr.udp = hdr.inner_udp;
        hdr.inner_icmp.setInvalid();
        hdr.inner_tcp.setInvalid();
        hdr.inner_udp.setInvalid();
    }

    apply {
        bit<16> removed = 0;
        if (hdr.inner_ethernet.isValid()) {
            removed = removed + ETHERNET_HEADER_LEN;
        }
        if (hdr.mpls[0].isValid()) {
            removed = removed + MPLS_LABEL_LEN;
        }
        if (hdr.mpls[1].isValid()) {
            removed = removed + MPLS_LABEL_LEN;
        }
        if (hdr.mpls[2].isValid()) {
            removed = removed + MPLS_LABEL_LEN;
        }
        if (hdr.ipv4.isValid()) {
            removed = removed + ((bit<16>) hdr.ipv4.ihl << 2);
        }
        if (hdr.ipv6.isValid()) {
            removed = removed + IPV6_HEADER_LEN;
        }
        if (hdr.vxlan.isValid()) {
            removed = removed + UDP_HEADER_LEN + VXLAN_HEADER_LEN;
        }
        if (hdr.gre.isValid()) {
            removed = removed + GRE_HEADER_LEN;
        }
        if (hdr.gre_key.isValid()) {
            removed = removed + GRE_KEY_LEN;
        }
        meta.tunnel.frame_length = meta.tunnel.frame_length - removed;

        remove_outer();
        if (hdr.inner_ethernet.isValid()) {
            hdr.ethernet = hdr.inner_ethernet;
            hdr.inner_ethernet.setInvalid();
            // A tag inside belongs to the tenant and stays.
            if (hdr.inner_vlan_tag.isValid()) {
                hdr.vlan_tag[0] = hdr.inner_vlan_tag;
                hdr.inner_vlan_tag.setInvalid();
            }
        } else if (hdr.inner_ipv4.isValid()) {
            hdr.ethernet.etherType = ETHERTYPE_IPV4;
        } else if (hdr.inner_ipv6.isValid()) {
            hdr.ethernet.etherType = ETHERTYPE_IPV6;
        }
        take_inner_l3();
        take_inner_l4();
        meta.tunnel.decapsulated = 1;
    }
}

// ---------------------------------------------------------------------------
// Does it end here?
// ---------------------------------------------------------------------------

control TunnelTermination(inout headers_t hdr, inout metadata_t meta) {
    direct_counter(CounterType.packets_and_bytes) vni_packets;
    direct_counter(CounterType.packets) label_packets;
    LookupInner() lookup_inner;
    Decapsulate() decapsulate;

    action terminate() {
        meta.tunnel.terminate = 1;
    }

    // Our own tunnel addresses.
    table tunnel_dst_ipv4 {
        key = {
            meta.route.vrf: exact;
            hdr.ipv4.dstAddr: exact;
            meta.tunnel.ingress_type: exact;
        }
        actions = { terminate; NoAction; }
        const default_action = NoAction();
        size = 1024;
    }

    table tunnel_dst_ipv6 {
        key = {
            meta.route.vrf: exact;
            hdr.ipv6.dstAddr: exact;
            meta.tunnel.ingress_type: exact;
        }
        actions = { terminate; NoAction; }
        const default_action = NoAction();
        size = 1024;
    }

    action set_source(ifindex_t ifindex) {
        meta.tunnel.source_known = 1;
        meta.tunnel.source_ifindex = ifindex;
    }

    // The far ends that we talk to; each is an interface of its own.
    table tunnel_src_ipv4 {
        key = {
            meta.route.vrf: exact;
            hdr.ipv4.srcAddr: exact;
            meta.tunnel.ingress_type: exact;
        }
        actions = { set_source; NoAction; }
        const default_action = NoAction();
        size = 4096;
    }

    table tunnel_src_ipv6 {
        key = {
            meta.route.vrf: exact;
            hdr.ipv6.srcAddr: exact;
            meta.tunnel.ingress_type: exact;
        }
        actions = { set_source; NoAction; }
        const default_action = NoAction();
        size = 2048;
    }

    action set_tenant(bd_t bd, vrf_t vrf, rmac_group_t rmac_group,
                      bit<16> flood_group, bit<1> flood_unknown,
                      bit<1> learning, bit<1> ipv4_enabled,
                      bit<1> ipv6_enabled, acl_label_t label) {
        meta.bridge.bd = bd;
        meta.bridge.flood_group = flood_group;
        meta.bridge.flood_unknown = flood_unknown;
        meta.bridge.learning = learning;
        meta.bridge.label = label;
        meta.route.vrf = vrf;
        meta.route.rmac_group = rmac_group;
        meta.route.ipv4_enabled = ipv4_enabled;
        meta.route.ipv6_enabled = ipv6_enabled;
        meta.route.urpf_mode = UrpfMode.OFF;
        meta.port.ifindex = meta.tunnel.source_ifindex;
    }

    action vni_unknown() {
        meta.acl.drop_reason = DropReason.TUNNEL_VNI;
    }

    // The tenant's network: its bridge domain and routing table.
    table tunnel_vni {
        key = {
            meta.tunnel.ingress_type: exact;
            meta.tunnel.ingress_vni: exact;
        }
        actions = { set_tenant; vni_unknown; }
        const default_action = vni_unknown();
        counters = vni_packets;
        size = 4096;
    }

    action label_unknown() {
        meta.acl.drop_reason = DropReason.MPLS_LABEL;
    }

    // L3VPN: below the label is a packet of that routing table.
    action mpls_pop_l3(vrf_t vrf, bd_t bd) {
        meta.route.vrf = vrf;
        meta.bridge.bd = bd;
        meta.route.rmac_hit = 1;
        meta.route.ipv4_enabled = 1;
        meta.route.ipv6_enabled = 1;
        meta.route.urpf_mode = UrpfMode.OFF;
        meta.tunnel.terminate = 1;
    }

    // Pseudowire: below the label is a frame of that bridge domain.
    action mpls_pop_l2(bd_t bd, ifindex_t ifindex, bit<16> flood_group) {
        meta.route.rmac_group = 0;
        meta.bridge.bd = bd;
        meta.bridge.flood_group = flood_group;
        meta.bridge.flood_unknown = 1;
        meta.bridge.learning = 1;
        meta.port.ifindex = ifindex;
        meta.tunnel.source_ifindex = ifindex;
        meta.tunnel.terminate = 1;
    }

    // Label switching: the next hop has the new label.
    action mpls_swap(bit<20> label, nexthop_t nexthop) {
        hdr.mpls[0].label = label;
        hdr.mpls[0].ttl = hdr.mpls[0].ttl - 1;
        meta.route.nexthop = nexthop;
        meta.route.fib_hit = 1;
    }

    // Penultimate hop: off with the label, on to the next hop.
    action mpls_php(nexthop_t nexthop) {
        hdr.mpls.pop_front(1);
        meta.tunnel.frame_length = meta.tunnel.frame_length - MPLS_LABEL_LEN;
        meta.route.nexthop = nexthop;
        meta.route.fib_hit = 1;
    }

    table mpls_label {
        key = {
            hdr.mpls[0].label: exact @name("label");
            hdr.mpls[0].bos: exact @name("bos");
        }
        actions = { mpls_pop_l3; mpls_pop_l2; mpls_swap; mpls_php; label_unknown; }
        const default_action = label_unknown();
        counters = label_packets;
        size = 4096;
    }

    apply {
        if (hdr.mpls[0].isValid()) {
            if (meta.route.rmac_hit == 1) {
                if (hdr.mpls[0].ttl <= 1) {
                    meta.acl.drop_reason = DropReason.MPLS_TTL;
                } else {
                    switch (mpls_label.apply().action_run) {
                        mpls_php: {
                            // The last label is gone: say what is below it.
                            if (!hdr.mpls[0].isValid()) {
                                hdr.ethernet.etherType =
                                    hdr.inner_ipv6.isValid() ? ETHERTYPE_IPV6 : ETHERTYPE_IPV4;
                            }
                        }
                    }
                }
            }
        } else if (meta.tunnel.ingress_type != TunnelType.NONE && meta.route.rmac_hit == 1) {
            if (hdr.ipv4.isValid()) {
                tunnel_dst_ipv4.apply();
            } else if (hdr.ipv6.isValid()) {
                tunnel_dst_ipv6.apply();
            }
            if (meta.tunnel.terminate == 1) {
                if (hdr.ipv4.isValid()) {
                    tunnel_src_ipv4.apply();
                } else {
                    tunnel_src_ipv6.apply();
                }
                if (meta.tunnel.source_known == 0) {
                    meta.acl.drop_reason = DropReason.TUNNEL_SOURCE;
                } else {
                    tunnel_vni.apply();
                }
            }
        }
        if (meta.tunnel.terminate == 1 && meta.acl.drop_reason == DropReason.NONE) {
            lookup_inner.apply(hdr, meta);
            decapsulate.apply(hdr, meta);
        }
    }
}

#endif
