// Bridging: learning, known stations, flooding.

#ifndef LARGE_L2_P4
#define LARGE_L2_P4

control Bridge(inout headers_t hdr,
               inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    direct_counter(CounterType.packets_and_bytes) station_packets;

    action station(ifindex_t ifindex) {
        meta.bridge.station_known = 1;
        meta.bridge.station_ifindex = ifindex;
    }

    table smac {
        key = {
            meta.bridge.bd: exact;
            meta.lookup.mac_src: exact;
        }
        actions = { station; NoAction; }
        const default_action = NoAction();
        size = 16384;
        support_timeout = true;
    }

    action forward(ifindex_t ifindex) {
        meta.egress.ifindex = ifindex;
    }

    // The station is behind a tunnel or on a bundle: a next hop knows how.
    action forward_nexthop(nexthop_t nexthop) {
        meta.route.nexthop = nexthop;
    }

    action forward_ecmp(ecmp_group_t group) {
        meta.route.nexthop = group;
        meta.route.nexthop_is_ecmp = 1;
    }

    action discard() {
        meta.acl.drop_reason = DropReason.BLACKHOLE;
    }

    action unknown() {
        meta.egress.ifindex = IFINDEX_FLOOD;
    }

    table dmac {
        key = {
            meta.bridge.bd: exact;
            meta.lookup.mac_dst: exact;
        }
        actions = { forward; forward_nexthop; forward_ecmp; discard; unknown; }
        const default_action = unknown();
        counters = station_packets;
        size = 16384;
    }

    action flood() {
        meta.egress.ifindex = IFINDEX_FLOOD;
        standard_metadata.mcast_grp = meta.bridge.flood_group;
    }

    apply {
        if (meta.bridge.learning == 1) {
            smac.apply();
            if (meta.bridge.station_known == 0
                || meta.bridge.station_ifindex != meta.port.ifindex) {
                digest<learn_digest_t>(
                    LEARN_RECEIVER,
                    { meta.bridge.bd, meta.lookup.mac_src, meta.port.ifindex });
            }
        }

        // What the router has taken, or label switching, is not bridged.
        if (meta.route.fib_hit == 0 && meta.route.rmac_hit == 0) {
            if (meta.lookup.packet_class == PacketClass.UNICAST) {
                switch (dmac.apply().action_run) {
                    unknown: {
                        if (meta.bridge.flood_unknown == 1) {
                            flood();
                        } else {
                            meta.acl.drop_reason = DropReason.UNKNOWN_UNICAST;
                        }
                    }
                }
            } else if (meta.multicast.bridge_hit == 1) {
                standard_metadata.mcast_grp = meta.multicast.bridge_group;
            } else {
                flood();
            }
        }
    }
}

#endif
