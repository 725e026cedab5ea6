// Routing: reverse-path check, host and prefix routes, multicast.

#ifndef LARGE_L3_P4
#define LARGE_L3_P4

// ---------------------------------------------------------------------------
// Would an answer go back to where this came from? (RFC 3704)
// ---------------------------------------------------------------------------

control ReversePath(inout metadata_t meta) {
    action urpf_found(bd_t bd) {
        meta.route.urpf_hit = 1;
        meta.route.urpf_bd = bd;
    }

    // More than one way: strict mode asks `urpf_members`.
    action urpf_found_several(bd_t group) {
        meta.route.urpf_hit = 1;
        meta.route.urpf_bd = group;
    }

    table ipv4_urpf {
        key = {
            meta.route.vrf: exact;
            meta.lookup.ipv4_src: lpm;
        }
        actions = { urpf_found; urpf_found_several; NoAction; }
        const default_action = NoAction();
        size = 8192;
    }

    table ipv6_urpf {
        key = {
            meta.route.vrf: exact;
            meta.lookup.ipv6_src: lpm;
        }
        actions = { urpf_found; urpf_found_several; NoAction; }
        const default_action = NoAction();
        size = 4096;
    }

    table urpf_members {
        key = {
            meta.route.urpf_bd: exact;
            meta.bridge.bd: exact;
        }
        actions = { NoAction; }
        const default_action = NoAction();
        size = 1024;
    }

    apply {
        if (meta.route.urpf_mode != UrpfMode.OFF) {
            if (meta.lookup.ip_type == IpType.IPV4) {
                ipv4_urpf.apply();
            } else {
                ipv6_urpf.apply();
            }
            if (meta.route.urpf_hit == 0) {
                meta.acl.drop_reason = DropReason.URPF;
            } else if (meta.route.urpf_mode == UrpfMode.STRICT
                       && meta.route.urpf_bd != meta.bridge.bd) {
                if (urpf_members.apply().miss) {
                    meta.acl.drop_reason = DropReason.URPF;
                }
            }
        }
    }
}

// ---------------------------------------------------------------------------
// Unicast
// ---------------------------------------------------------------------------

control UnicastRoute(inout metadata_t meta) {
    action to_nexthop(nexthop_t nexthop) {
        meta.route.fib_hit = 1;
        meta.route.nexthop = nexthop;
        meta.route.nexthop_is_ecmp = 0;
    }

    action to_ecmp(ecmp_group_t group) {
        meta.route.fib_hit = 1;
        meta.route.nexthop = group;
        meta.route.nexthop_is_ecmp = 1;
    }

    // One of our own addresses, or a host that has to be asked for first.
    action to_cpu(CpuReason reason) {
        meta.route.fib_hit = 1;
        meta.copy.reason = reason;
        meta.copy.kind = COPY_TO_CPU;
        meta.acl.deny = 1;
    }

    action blackhole() {
        meta.route.fib_hit = 1;
        meta.acl.drop_reason = DropReason.BLACKHOLE;
    }

    table ipv4_fib {
        key = {
            meta.route.vrf: exact;
            meta.lookup.ipv4_dst: exact;
        }
        actions = { to_nexthop; to_ecmp; to_cpu; blackhole; NoAction; }
        const default_action = NoAction();
        size = 16384;
    }

    table ipv4_fib_lpm {
        key = {
            meta.route.vrf: exact;
            meta.lookup.ipv4_dst: lpm;
        }
        actions = { to_nexthop; to_ecmp; to_cpu; blackhole; NoAction; }
        const default_action = NoAction();
        size = 16384;
    }

    table ipv6_fib {
        key = {
            meta.route.vrf: exact;
            meta.lookup.ipv6_dst: exact;
        }
        actions = { to_nexthop; to_ecmp; to_cpu; blackhole; NoAction; }
        const default_action = NoAction();
        size = 8192;
    }

    table ipv6_fib_lpm {
        key = {
            meta.route.vrf: exact;
            meta.lookup.ipv6_dst: lpm;
        }
        actions = { to_nexthop; to_ecmp; to_cpu; blackhole; NoAction; }
        const default_action = NoAction();
        size = 8192;
    }

    apply {
        // Host routes first: they are cheap, and most of the traffic.
        if (meta.lookup.ip_type == IpType.IPV4) {
            if (!ipv4_fib.apply().hit) {
                ipv4_fib_lpm.apply();
            }
        } else {
            if (!ipv6_fib.apply().hit) {
                ipv6_fib_lpm.apply();
            }
        }
        if (meta.route.fib_hit == 0) {
            meta.acl.drop_reason = DropReason.NO_ROUTE;
        }
    }
}

// ---------------------------------------------------------------------------
// Multicast: bridged by (group, source), routed when the source came by the
// way that leads back to it
// ---------------------------------------------------------------------------

control MulticastRoute(inout metadata_t meta) {
    direct_counter(CounterType.packets) route_packets;

    action bridge_group(bit<16> group) {
        meta.multicast.bridge_hit = 1;
        meta.multicast.bridge_group = group;
    }

    table ipv4_mcast_bridge_sg {
        key = {
            meta.bridge.bd: exact;
            meta.lookup.ipv4_src: exact;
            meta.lookup.ipv4_dst: exact;
        }
        actions = { bridge_group; NoAction; }
        const default_action = NoAction();
        size = 2048;
    }

    table ipv4_mcast_bridge_star {
        key = {
            meta.bridge.bd: exact;
            meta.lookup.ipv4_dst: exact;
        }
        actions = { bridge_group; NoAction; }
        const default_action = NoAction();
        size = 2048;
    }

    action route_group(bit<16> group, bd_t rpf_bd) {
        meta.multicast.route_hit = 1;
        meta.multicast.route_group = group;
        meta.multicast.rpf_bd = rpf_bd;
    }

    table ipv4_mcast_route_sg {
        key = {
            meta.route.vrf: exact;
            meta.lookup.ipv4_src: exact;
            meta.lookup.ipv4_dst: exact;
        }
        actions = { route_group; NoAction; }
        const default_action = NoAction();
        counters = route_packets;
        size = 2048;
    }

    table ipv4_mcast_route_star {
        key = {
            meta.route.vrf: exact;
            meta.lookup.ipv4_dst: exact;
        }
        actions = { route_group; NoAction; }
        const default_action = NoAction();
        size = 1024;
    }

    apply {
        if (meta.lookup.ip_type == IpType.IPV4 && meta.lookup.ipv4_dst[31:28] == 0xe) {
            if (!ipv4_mcast_bridge_sg.apply().hit) {
                ipv4_mcast_bridge_star.apply();
            }
            if (meta.route.mcast_ipv4_enabled == 1) {
                if (!ipv4_mcast_route_sg.apply().hit) {
                    ipv4_mcast_route_star.apply();
                }
                // The wrong way in: bridge only.
                if (meta.multicast.rpf_bd != meta.bridge.bd) {
                    meta.multicast.route_hit = 0;
                }
            }
        }
    }
}

// ---------------------------------------------------------------------------
// The router as a whole
// ---------------------------------------------------------------------------

control Route(inout metadata_t meta) {
    ReversePath() reverse_path;
    UnicastRoute() unicast_route;
    MulticastRoute() multicast_route;

    apply {
        if (meta.lookup.packet_class == PacketClass.MULTICAST) {
            multicast_route.apply(meta);
            if (meta.multicast.route_hit == 1 && meta.lookup.ip_ttl > 1) {
                // A routed group's tree begins with the bridged one.
                meta.multicast.bridge_hit = 1;
                meta.multicast.bridge_group = meta.multicast.route_group;
            }
        } else if (meta.route.rmac_hit == 1
                   && ((meta.lookup.ip_type == IpType.IPV4 && meta.route.ipv4_enabled == 1)
                       || (meta.lookup.ip_type == IpType.IPV6 && meta.route.ipv6_enabled == 1))) {
            reverse_path.apply(meta);
            if (meta.acl.drop_reason == DropReason.NONE) {
                unicast_route.apply(meta);
            }
            if (meta.acl.drop_reason == DropReason.NONE && meta.acl.deny == 0) {
                meta.route.routed = 1;
                // A packet that arrives with TTL 1 would leave with 0
                // (RFC 1812, 5.3.1): its sender wants to know.
                if (meta.lookup.ip_ttl <= 1) {
                    meta.copy.kind = COPY_TO_CPU;
                    meta.copy.reason = CpuReason.TTL;
                    meta.acl.drop_reason = DropReason.IP_TTL;
                }
            }
        } else if (meta.route.rmac_hit == 1 && meta.route.fib_hit == 0) {
            // For us, but not to be routed: the control plane may know.
            meta.copy.kind = COPY_TO_CPU;
            meta.copy.reason = CpuReason.LOCAL;
            meta.acl.deny = 1;
        }
    }
}

#endif
