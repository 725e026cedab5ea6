// Access lists, policers, and what goes to the control plane.

#ifndef LARGE_ACL_P4
#define LARGE_ACL_P4

// ---------------------------------------------------------------------------
// Port ranges become sets of bits, so that the lists stay ternary
// ---------------------------------------------------------------------------

control PortRanges(inout metadata_t meta) {
    action set_src_range(bit<8> set) {
        meta.acl.src_range = set;
    }

    table src_range {
        key = {
            meta.lookup.ip_protocol: exact;
            meta.lookup.l4_src: range;
        }
        actions = { set_src_range; NoAction; }
        const default_action = NoAction();
        size = 256;
    }

    action set_dst_range(bit<8> set) {
        meta.acl.dst_range = set;
    }

    table dst_range {
        key = {
            meta.lookup.ip_protocol: exact;
            meta.lookup.l4_dst: range;
        }
        actions = { set_dst_range; NoAction; }
        const default_action = NoAction();
        size = 256;
    }

    apply {
        if (meta.lookup.ip_protocol == PROTOCOL_TCP
            || meta.lookup.ip_protocol == PROTOCOL_UDP) {
            src_range.apply();
            dst_range.apply();
        }
    }
}

// ---------------------------------------------------------------------------
// Ingress lists, by port or bridge domain
// ---------------------------------------------------------------------------

control IngressAcl(inout metadata_t meta) {
    counter(4096, CounterType.packets_and_bytes) acl_stats;
    PortRanges() port_ranges;

    action permit(bit<16> stats_index) {
        meta.acl.stats_index = stats_index;
    }

    action deny(bit<16> stats_index, DropReason reason) {
        meta.acl.stats_index = stats_index;
        meta.acl.drop_reason = reason;
    }

    action mirror(bit<16> stats_index, mirror_session_t session) {
        meta.acl.stats_index = stats_index;
        meta.copy.session = session;
    }

    action police(bit<16> stats_index, bit<16> policer_index) {
        meta.acl.stats_index = stats_index;
        meta.acl.policer_index = policer_index;
    }

    action redirect(bit<16> stats_index, nexthop_t nexthop) {
        meta.acl.stats_index = stats_index;
        meta.acl.redirect = 1;
        meta.acl.redirect_nexthop = nexthop;
    }

    action set_class(bit<16> stats_index, traffic_class_t traffic_class) {
        meta.acl.stats_index = stats_index;
        meta.qos.traffic_class = traffic_class;
    }

    table mac_acl {
        key = {
            meta.acl.label: ternary;
            meta.lookup.mac_src: ternary;
            meta.lookup.mac_dst: ternary;
            meta.lookup.mac_type: ternary;
            meta.bridge.outer_vid: ternary;
            meta.lookup.pcp: ternary;
        }
        actions = { permit; deny; mirror; police; set_class; NoAction; }
        const default_action = NoAction();
        size = 512;
    }

    table ipv4_acl {
        key = {
            meta.acl.label: ternary;
            meta.lookup.ipv4_src: ternary;
            meta.lookup.ipv4_dst: ternary;
            meta.lookup.ip_protocol: ternary;
            meta.lookup.l4_src: ternary;
            meta.lookup.l4_dst: ternary;
            meta.acl.src_range: ternary;
            meta.acl.dst_range: ternary;
            meta.lookup.dscp: ternary;
            meta.lookup.tcp_flags: ternary;
            meta.lookup.ip_fragment: ternary;
        }
        actions = { permit; deny; mirror; police; redirect; set_class; NoAction; }
        const default_action = NoAction();
        size = 1024;
    }

    table ipv6_acl {
        key = {
            meta.acl.label: ternary;
            meta.lookup.ipv6_src: ternary;
            meta.lookup.ipv6_dst: ternary;
            meta.lookup.ip_protocol: ternary;
            meta.lookup.l4_src: ternary;
            meta.lookup.l4_dst: ternary;
            meta.acl.src_range: ternary;
            meta.acl.dst_range: ternary;
            meta.lookup.dscp: ternary;
            meta.lookup.tcp_flags: ternary;
        }
        actions = { permit; deny; mirror; police; redirect; set_class; NoAction; }
        const default_action = NoAction();
        size = 512;
    }

    // What is routed passes a list of its bridge domain as well.
    table routed_ipv4_acl {
        key = {
            meta.bridge.label: ternary;
            meta.lookup.ipv4_src: ternary;
            meta.lookup.ipv4_dst: ternary;
            meta.lookup.ip_protocol: ternary;
            meta.lookup.l4_dst: ternary;
            meta.acl.dst_range: ternary;
        }
        actions = { permit; deny; redirect; NoAction; }
        const default_action = NoAction();
        size = 512;
    }

    apply {
        port_ranges.apply(meta);
        meta.acl.label = meta.port.label != 0 ? meta.port.label : meta.bridge.label;
        mac_acl.apply();
        if (meta.acl.drop_reason == DropReason.NONE) {
            if (meta.lookup.ip_type == IpType.IPV4) {
                ipv4_acl.apply();
                if (meta.route.rmac_hit == 1 && meta.acl.drop_reason == DropReason.NONE) {
                    routed_ipv4_acl.apply();
                }
            } else if (meta.lookup.ip_type == IpType.IPV6) {
                ipv6_acl.apply();
            }
        }
        if (meta.acl.stats_index != 0) {
            acl_stats.count((bit<32>) meta.acl.stats_index);
        }
    }
}

// ---------------------------------------------------------------------------
// Control protocols and other packets for the control plane, limited
// ---------------------------------------------------------------------------

control SystemAcl(inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
    meter(256, MeterType.packets) cpu_meter;
    counter(256, CounterType.packets) cpu_packets;
    counter(64, CounterType.packets) drop_stats;

    color_t color = 0;

    action copy_to_cpu(CpuReason reason) {
        meta.copy.kind = COPY_TO_CPU;
        meta.copy.reason = reason;
    }

    action redirect_to_cpu(CpuReason reason) {
        copy_to_cpu(reason);
        meta.acl.deny = 1;
    }

    action drop(DropReason reason) {
        meta.acl.drop_reason = reason;
    }

    table system_acl {
        key = {
            meta.lookup.mac_dst: ternary;
            meta.lookup.mac_type: ternary;
            meta.lookup.ip_type: ternary;
            meta.lookup.ip_protocol: ternary;
            meta.lookup.l4_src: ternary;
            meta.lookup.l4_dst: ternary;
            meta.route.rmac_hit: ternary;
            meta.acl.drop_reason: ternary;
        }
        actions = { copy_to_cpu; redirect_to_cpu; drop; NoAction; }
        const default_action = NoAction();
        entries = {
            // Spanning tree, LACP, LLDP and their like never pass.
            priority = 1000: (0x0180c2000000 &&& 0xfffffffffff0, _, _, _, _, _, _, _):
                redirect_to_cpu(CpuReason.PROTOCOL);
            priority = 990: (_, ETHERTYPE_PAUSE, _, _, _, _, _, _): drop(DropReason.RESERVED_GROUP);
            priority = 980: (_, ETHERTYPE_EAPOL, _, _, _, _, _, _): redirect_to_cpu(CpuReason.PROTOCOL);
            // Everybody hears ARP requests, and so do we.
            priority = 900: (BROADCAST_MAC, ETHERTYPE_ARP, _, _, _, _, _, _): copy_to_cpu(CpuReason.ARP);
            priority = 890: (_, ETHERTYPE_ARP, _, _, _, _, 1, _): redirect_to_cpu(CpuReason.ARP);
            priority = 800: (_, _, IpType.IPV4, PROTOCOL_UDP, UDP_PORT_DHCP_CLIENT,
                             UDP_PORT_DHCP_SERVER, _, _): redirect_to_cpu(CpuReason.DHCP);
            priority = 790: (_, _, IpType.IPV4, PROTOCOL_IGMP, _, _, _, _): copy_to_cpu(CpuReason.IGMP);
            priority = 780: (_, _, IpType.IPV4, PROTOCOL_OSPF, _, _, _, _): copy_to_cpu(CpuReason.PROTOCOL);
        }
        size = 256;
    }

    apply {
        system_acl.apply();

        if (meta.copy.kind == COPY_TO_CPU) {
            bit<32> cell = (bit<32>) (bit<16>) meta.copy.reason;
            cpu_meter.execute_meter(cell, color);
            if (color != (color_t) Color.RED) {
                cpu_packets.count(cell);
                meta.copy.ingress_port = standard_metadata.ingress_port;
                meta.copy.ifindex = meta.port.ifindex;
                meta.copy.bd = meta.bridge.bd;
                clone_preserving_field_list(CloneType.I2E, CPU_SESSION, FIELDS_TO_CPU);
            }
        } else if (meta.copy.session != 0) {
            meta.copy.kind = COPY_MIRROR;
            meta.copy.ingress_port = standard_metadata.ingress_port;
            meta.copy.bd = meta.bridge.bd;
            clone_preserving_field_list(CloneType.I2E, (bit<32>) meta.copy.session, FIELDS_MIRROR);
        }

        if (meta.acl.drop_reason != DropReason.NONE) {
            drop_stats.count((bit<32>) (bit<8>) meta.acl.drop_reason);
            mark_to_drop(standard_metadata);
        } else if (meta.acl.deny == 1) {
            mark_to_drop(standard_metadata);
        }
    }
}

#endif
