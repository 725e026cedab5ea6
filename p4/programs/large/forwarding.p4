// From the decision to the wire: next hops, equal-cost paths, bundles.

#ifndef LARGE_FORWARDING_P4
#define LARGE_FORWARDING_P4

// One number for a flow; IPv6 and plain frames have their own.
control FlowHash(inout metadata_t meta) {
    action hash_ipv4() {
        hash(meta.hash.flow, HashAlgorithm.crc16, 16w0,
             { meta.lookup.ipv4_src, meta.lookup.ipv4_dst, meta.lookup.ip_protocol,
               meta.lookup.l4_src, meta.lookup.l4_dst },
             32w65536);
    }

    action hash_ipv6() {
        hash(meta.hash.flow, HashAlgorithm.crc16, 16w0,
             { meta.lookup.ipv6_src, meta.lookup.ipv6_dst, meta.lookup.ip_protocol,
               meta.lookup.l4_src, meta.lookup.l4_dst },
             32w65536);
    }

    action hash_ethernet() {
        hash(meta.hash.flow, HashAlgorithm.crc16, 16w0,
             { meta.lookup.mac_src, meta.lookup.mac_dst, meta.lookup.mac_type },
             32w65536);
    }

    apply {
        // Fragments have no ports: the whole datagram has to go one way.
        if (meta.lookup.ip_fragment == 1) {
            meta.lookup.l4_src = 0;
            meta.lookup.l4_dst = 0;
        }
        if (meta.lookup.ip_type == IpType.IPV4) {
            hash_ipv4();
        } else if (meta.lookup.ip_type == IpType.IPV6) {
            hash_ipv6();
        } else {
            hash_ethernet();
        }
        // A second one for bundles, or the two choices would go together.
        hash(meta.hash.flow2, HashAlgorithm.crc32, 16w0,
             { meta.hash.flow, meta.port.ifindex }, 32w65536);
        meta.tunnel.flow_entropy = meta.hash.flow;
    }
}

control NextHop(inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    action_selector(HashAlgorithm.identity, 1024, 10) ecmp_selector;
    direct_counter(CounterType.packets_and_bytes) nexthop_packets;

    action set_ecmp_nexthop(nexthop_t nexthop) {
        meta.route.nexthop = nexthop;
    }

    table ecmp_group {
        key = {
            meta.route.nexthop: exact;
            meta.hash.flow: selector;
        }
        actions = { set_ecmp_nexthop; NoAction; }
        implementation = ecmp_selector;
        size = 1024;
    }

    // A neighbour on a bridge domain.
    action to_neighbour(ifindex_t ifindex, bd_t bd, mac_addr_t dmac) {
        meta.egress.ifindex = ifindex;
        meta.route.out_bd = bd;
        meta.egress.mac_dst = dmac;
    }

    // A neighbour at the far end of a tunnel.
    action to_tunnel(ifindex_t ifindex, bd_t bd, mac_addr_t dmac,
                     tunnel_index_t tunnel_index, bit<24> vni) {
        meta.egress.ifindex = ifindex;
        meta.route.out_bd = bd;
        meta.egress.mac_dst = dmac;
        meta.tunnel.egress_index = tunnel_index;
        meta.tunnel.egress_vni = vni;
    }

    // Bridged into a tunnel: the frame goes as it is.
    action bridge_tunnel(ifindex_t ifindex, tunnel_index_t tunnel_index, bit<24> vni) {
        meta.egress.ifindex = ifindex;
        meta.route.out_bd = meta.bridge.bd;
        meta.tunnel.egress_index = tunnel_index;
        meta.tunnel.egress_vni = vni;
    }

    action to_cpu() {
        meta.copy.kind = COPY_TO_CPU;
        meta.copy.reason = CpuReason.GLEAN;
        meta.acl.deny = 1;
    }

    action no_nexthop() {
        meta.acl.drop_reason = DropReason.NO_NEXTHOP;
    }

    table nexthop {
        key = { meta.route.nexthop: exact; }
        actions = { to_neighbour; to_tunnel; bridge_tunnel; to_cpu; no_nexthop; }
        const default_action = no_nexthop();
        counters = nexthop_packets;
        size = 8192;
    }

    apply {
        if (meta.acl.redirect == 1) {
            meta.route.nexthop = meta.acl.redirect_nexthop;
            meta.route.nexthop_is_ecmp = 0;
            standard_metadata.mcast_grp = 0;
        }
        if (meta.route.nexthop_is_ecmp == 1) {
            ecmp_group.apply();
        }
        if (meta.route.nexthop != 0) {
            nexthop.apply();
        } else {
            meta.route.out_bd = meta.bridge.bd;
        }
    }
}

control ChoosePort(inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    action_selector(HashAlgorithm.identity, 512, 8) lag_selector;

    bit<1> bundle = 0;

    action set_port(port_t port) {
        standard_metadata.egress_spec = port;
    }

    action set_bundle() {
        bundle = 1;
    }

    action no_interface() {
        meta.acl.drop_reason = DropReason.NO_LAG_MEMBER;
    }

    // An interface is a port, or a bundle of them.
    table out_interface {
        key = { meta.egress.ifindex: exact; }
        actions = { set_port; set_bundle; no_interface; }
        const default_action = no_interface();
        size = 1024;
    }

    table lag_group {
        key = {
            meta.egress.ifindex: exact;
            meta.hash.flow2: selector;
        }
        actions = { set_port; NoAction; }
        implementation = lag_selector;
        size = 256;
    }

    apply {
        if (standard_metadata.mcast_grp == 0 && meta.egress.ifindex != IFINDEX_FLOOD) {
            if (meta.egress.ifindex == meta.port.ifindex && meta.route.routed == 0
                && meta.route.nexthop == 0) {
                meta.acl.drop_reason = DropReason.SAME_INTERFACE;
            } else {
                out_interface.apply();
                if (bundle == 1 && !lag_group.apply().hit) {
                    meta.acl.drop_reason = DropReason.NO_LAG_MEMBER;
                }
            }
        }
    }
}

#endif
