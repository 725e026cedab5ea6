// From the wire to the bridge domain: port, tags, sanity of the frame,
// spanning tree, storm control.

#ifndef LARGE_PORTS_P4
#define LARGE_PORTS_P4

// ---------------------------------------------------------------------------
// Ports and VLANs
// ---------------------------------------------------------------------------

control PortMapping(inout headers_t hdr,
                    inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    counter(512, CounterType.packets_and_bytes) port_in;

    action set_port(ifindex_t ifindex, acl_label_t label,
                    bit<1> trust_dscp, bit<1> trust_pcp,
                    bit<6> default_dscp, bit<3> default_pcp) {
        meta.port.ifindex = ifindex;
        meta.port.label = label;
        meta.port.trust_dscp = trust_dscp;
        meta.port.trust_pcp = trust_pcp;
        meta.port.default_dscp = default_dscp;
        meta.port.default_pcp = default_pcp;
    }

    action port_unknown() {
        meta.acl.drop_reason = DropReason.PORT_UNKNOWN;
    }

    // A bundle's members share one ifindex.
    table port_properties {
        key = { standard_metadata.ingress_port: exact; }
        actions = { set_port; port_unknown; }
        const default_action = port_unknown();
        size = 512;
    }

    action set_bd(bd_t bd) {
        meta.bridge.bd = bd;
    }

    action port_vlan_miss() {
        meta.acl.drop_reason = DropReason.PORT_VLAN_MISS;
    }

    // Untagged, tagged or doubly tagged: what is configured on the port says
    // which bridge domain that is. VID 0 is a priority tag.
    table port_vlan {
        key = {
            meta.port.ifindex: exact;
            meta.bridge.tag_count: exact;
            meta.bridge.outer_vid: ternary;
            meta.bridge.inner_vid: ternary;
        }
        actions = { set_bd; port_vlan_miss; }
        const default_action = port_vlan_miss();
        size = 4096;
    }

    action set_bd_properties(vrf_t vrf, rmac_group_t rmac_group,
                             stp_group_t stp_group, bit<1> learning,
                             bit<16> flood_group, bit<1> flood_unknown,
                             bit<1> ipv4_enabled, bit<1> ipv6_enabled,
                             bit<1> mcast_ipv4_enabled, UrpfMode urpf_mode,
                             acl_label_t label) {
        meta.route.vrf = vrf;
        meta.route.rmac_group = rmac_group;
        meta.route.ipv4_enabled = ipv4_enabled;
        meta.route.ipv6_enabled = ipv6_enabled;
        meta.route.mcast_ipv4_enabled = mcast_ipv4_enabled;
        meta.route.urpf_mode = urpf_mode;
        meta.bridge.stp_group = stp_group;
        meta.bridge.learning = learning;
        meta.bridge.flood_group = flood_group;
        meta.bridge.flood_unknown = flood_unknown;
        meta.bridge.label = label;
    }

    table bd_properties {
        key = { meta.bridge.bd: exact; }
        actions = { set_bd_properties; NoAction; }
        default_action = NoAction();
        size = 4096;
    }

    apply {
        port_in.count((bit<32>) standard_metadata.ingress_port);
        if (hdr.packet_out.isValid()) {
            // The control plane names the bridge domain itself.
            meta.bridge.bd = hdr.packet_out.bd;
            bd_properties.apply();
        } else {
            switch (port_properties.apply().action_run) {
                set_port: {
                    switch (port_vlan.apply().action_run) {
                        set_bd: { bd_properties.apply(); }
                    }
                }
            }
        }
    }
}

// Takes the tags off, and remembers what they said. Egress puts on what the
// port of departure wants.
control RemoveTags(inout headers_t hdr, inout metadata_t meta) {
    apply {
        if (hdr.vlan_tag[1].isValid()) {
            hdr.ethernet.etherType = hdr.vlan_tag[1].etherType;
            meta.tunnel.frame_length = meta.tunnel.frame_length - 2 * VLAN_TAG_LEN;
        } else if (hdr.vlan_tag[0].isValid()) {
            hdr.ethernet.etherType = hdr.vlan_tag[0].etherType;
            meta.tunnel.frame_length = meta.tunnel.frame_length - VLAN_TAG_LEN;
        }
        hdr.vlan_tag[0].setInvalid();
        hdr.vlan_tag[1].setInvalid();
        if (meta.bridge.tag_count == 0) {
            meta.lookup.pcp = meta.port.default_pcp;
        }
    }
}

// ---------------------------------------------------------------------------
// Sanity
// ---------------------------------------------------------------------------

control ValidatePacket(inout headers_t hdr,
                       inout metadata_t meta,
                       inout standard_metadata_t standard_metadata) {
    action unicast() {
        meta.lookup.packet_class = PacketClass.UNICAST;
    }

    action multicast() {
        meta.lookup.packet_class = PacketClass.MULTICAST;
    }

    action broadcast() {
        meta.lookup.packet_class = PacketClass.BROADCAST;
    }

    action malformed(DropReason reason) {
        meta.acl.drop_reason = reason;
    }

    table validate_ethernet {
        key = {
            meta.lookup.mac_src: ternary;
            meta.lookup.mac_dst: ternary;
        }
        actions = { unicast; multicast; broadcast; malformed; }
        const default_action = unicast();
        const entries = {
            (0, _): malformed(DropReason.SOURCE_MAC_ZERO);
            (0x010000000000 &&& 0x010000000000, _): malformed(DropReason.SOURCE_MAC_GROUP);
            (_, BROADCAST_MAC): broadcast();
            (_, 0x010000000000 &&& 0x010000000000): multicast();
        }
    }

    table validate_ipv4 {
        key = {
            standard_metadata.checksum_error: ternary;
            meta.lookup.ipv4_src: ternary;
            meta.lookup.ip_ttl: ternary;
        }
        actions = { malformed; NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _, _): malformed(DropReason.IP_CHECKSUM);
            (_, 0x7f000000 &&& 0xff000000, _): malformed(DropReason.IP_SOURCE_LOOPBACK);
            (_, 0xe0000000 &&& 0xf0000000, _): malformed(DropReason.IP_SOURCE_MULTICAST);
            (_, 0xffffffff, _): malformed(DropReason.IP_SOURCE_MULTICAST);
            (_, _, 0): malformed(DropReason.IP_TTL);
        }
    }

    table validate_ipv6 {
        key = {
            meta.lookup.ipv6_src: ternary;
            meta.lookup.ip_ttl: ternary;
        }
        actions = { malformed; NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _): malformed(DropReason.IP_SOURCE_LOOPBACK);
            (0xff000000000000000000000000000000 &&& 0xff000000000000000000000000000000, _):
                malformed(DropReason.IP_SOURCE_MULTICAST);
            (_, 0): malformed(DropReason.IP_TTL);
        }
    }

    apply {
        if (standard_metadata.parser_error == error.BadIpv4Version
            || standard_metadata.parser_error == error.BadIpv6Version) {
            malformed(DropReason.IP_VERSION);
        } else if (standard_metadata.parser_error == error.BadIpv4HeaderLength) {
            malformed(DropReason.IP_HEADER_LENGTH);
        } else if (standard_metadata.parser_error != error.NoError) {
            malformed(DropReason.PARSER);
        } else {
            validate_ethernet.apply();
            if (meta.acl.drop_reason == DropReason.NONE) {
                if (meta.lookup.ip_type == IpType.IPV4) {
                    validate_ipv4.apply();
                } else if (meta.lookup.ip_type == IpType.IPV6) {
                    validate_ipv6.apply();
                }
            }
        }
    }
}

// ---------------------------------------------------------------------------
// Spanning tree
// ---------------------------------------------------------------------------

control SpanningTree(inout metadata_t meta) {
    action set_stp_state(StpState state_of_port) {
        meta.bridge.stp_state = state_of_port;
    }

    table spanning_tree {
        key = {
            meta.port.ifindex: exact;
            meta.bridge.stp_group: exact;
        }
        actions = { set_stp_state; NoAction; }
        default_action = NoAction();
        size = 4096;
    }

    apply {
        // Group 0 has no spanning tree: everything forwards.
        if (meta.bridge.stp_group == 0) {
            meta.bridge.stp_state = StpState.FORWARDING;
        } else {
            spanning_tree.apply();
        }
        if (meta.bridge.stp_state != StpState.FORWARDING) {
            meta.acl.drop_reason = DropReason.STP_BLOCKED;
        }
    }
}

// ---------------------------------------------------------------------------
// Storm control
// ---------------------------------------------------------------------------

control StormControl(inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    meter(1024, MeterType.bytes) storm_meter;
    counter(1024, CounterType.packets) storm_drops;

    bit<16> meter_index = 0;

    action set_storm_meter(bit<16> index) {
        meter_index = index;
        color_t color;
        storm_meter.execute_meter((bit<32>) index, color);
        meta.qos.color = color;
    }

    table storm_control {
        key = {
            standard_metadata.ingress_port: exact;
            meta.lookup.packet_class: exact;
        }
        actions = { set_storm_meter; NoAction; }
        default_action = NoAction();
        size = 1024;
    }

    apply {
        if (storm_control.apply().hit) {
            if (meta.qos.color == (color_t) Color.RED) {
                storm_drops.count((bit<32>) meter_index);
                meta.acl.drop_reason = DropReason.STORM_CONTROL;
            }
            // The policer starts afresh.
            meta.qos.color = (color_t) Color.GREEN;
        }
    }
}

#endif
