// What happens to a packet once its port is known.

#ifndef LARGE_EGRESS_P4
#define LARGE_EGRESS_P4

// ---------------------------------------------------------------------------
// Port and replica
// ---------------------------------------------------------------------------

control EgressPort(inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    action set_egress_port(ifindex_t ifindex, acl_label_t label) {
        meta.egress.ifindex = ifindex;
        meta.egress.label = label;
    }

    table egress_port_properties {
        key = { standard_metadata.egress_port: exact; }
        actions = { set_egress_port; NoAction; }
        const default_action = NoAction();
        size = 512;
    }

    apply {
        egress_port_properties.apply();
    }
}

// A replica's number says what it is for.
control Replica(inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    action bridged_replica() {
        meta.egress.bd = meta.bridge.bd;
    }

    action routed_replica(bd_t bd) {
        meta.egress.bd = bd;
        meta.route.routed = 1;
        // RFC 1112, 6.4: the low 23 bits of the group.
        meta.egress.mac_dst = 24w0x01005e ++ 1w0 ++ meta.lookup.ipv4_dst[22:0];
    }

    action tunnel_replica(tunnel_index_t tunnel_index, bit<24> vni) {
        meta.egress.bd = meta.bridge.bd;
        meta.tunnel.egress_index = tunnel_index;
        meta.tunnel.egress_vni = vni;
    }

    table replica {
        key = { standard_metadata.egress_rid: exact; }
        actions = { bridged_replica; routed_replica; tunnel_replica; }
        const default_action = bridged_replica();
        size = 8192;
    }

    apply {
        replica.apply();
        // Not back to where it came from, and not from tunnel to tunnel.
        if (meta.egress.bd == meta.bridge.bd) {
            if (meta.tunnel.egress_index != 0 && meta.tunnel.decapsulated == 1) {
                meta.egress.drop_reason = DropReason.SPLIT_HORIZON;
            } else if (meta.tunnel.egress_index == 0 && meta.egress.ifindex == meta.port.ifindex) {
                meta.egress.drop_reason = DropReason.SAME_INTERFACE;
            }
        }
    }
}

// ---------------------------------------------------------------------------
// Rewrite
// ---------------------------------------------------------------------------

control EgressBridgeDomain(inout metadata_t meta) {
    action set_egress_bd(bit<8> smac_index, bit<16> mtu) {
        meta.egress.smac_index = smac_index;
        // The MTU is about the packet, without its Ethernet header.
        meta.egress.mtu_left = mtu - (meta.tunnel.frame_length - ETHERNET_HEADER_LEN);
    }

    table egress_bd_properties {
        key = { meta.egress.bd: exact; }
        actions = { set_egress_bd; NoAction; }
        const default_action = NoAction();
        size = 4096;
    }

    apply {
        egress_bd_properties.apply();
        if (meta.route.routed == 1 && meta.egress.mtu_left[15:15] == 1) {
            meta.egress.drop_reason = DropReason.MTU;
        }
    }
}

control Rewrite(inout headers_t hdr, inout metadata_t meta) {
    action set_smac(mac_addr_t smac) {
        hdr.ethernet.srcAddr = smac;
    }

    table smac_rewrite {
        key = { meta.egress.smac_index: exact; }
        actions = { set_smac; NoAction; }
        const default_action = NoAction();
        size = 256;
    }

    apply {
        if (meta.egress.mac_dst != 0) {
            hdr.ethernet.dstAddr = meta.egress.mac_dst;
            smac_rewrite.apply();
        }
        // Labels have a TTL of their own.
        if (meta.route.routed == 1 && !hdr.mpls[0].isValid()) {
            if (hdr.ipv4.isValid()) {
                hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
                meta.egress.ipv4_changed = 1;
            } else if (hdr.ipv6.isValid()) {
                hdr.ipv6.hopLimit = hdr.ipv6.hopLimit - 1;
            }
        }
    }
}

// ---------------------------------------------------------------------------
// Tags
// ---------------------------------------------------------------------------

control EgressVlan(inout headers_t hdr, inout metadata_t meta) {
    action untagged() {}

    // What is already there moves one place in.
    action push_tag(vid_t vid, bit<16> tpid) {
        hdr.vlan_tag.push_front(1);
        hdr.vlan_tag[0].setValid();
        hdr.vlan_tag[0].pcp = meta.qos.remark_pcp == 1 ? meta.qos.pcp : meta.lookup.pcp;
        hdr.vlan_tag[0].dei = 0;
        hdr.vlan_tag[0].vid = vid;
        hdr.vlan_tag[0].etherType = hdr.ethernet.etherType;
        hdr.ethernet.etherType = tpid;
    }

    action tagged(vid_t vid) {
        push_tag(vid, ETHERTYPE_VLAN);
    }

    action double_tagged(vid_t outer, vid_t inner) {
        push_tag(inner, ETHERTYPE_VLAN);
        push_tag(outer, ETHERTYPE_QINQ);
    }

    action not_member() {
        meta.egress.drop_reason = DropReason.EGRESS_VLAN;
    }

    table egress_vlan {
        key = {
            meta.egress.ifindex: exact;
            meta.egress.bd: exact;
        }
        actions = { untagged; tagged; double_tagged; not_member; }
        const default_action = not_member();
        size = 8192;
    }

    apply {
        egress_vlan.apply();
    }
}

// ---------------------------------------------------------------------------
// Access list
// ---------------------------------------------------------------------------

control EgressAcl(inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
    direct_counter(CounterType.packets_and_bytes) egress_acl_hits;

    action permit() {}

    action deny() {
        meta.egress.drop_reason = DropReason.EGRESS_ACL;
    }

    action mirror(mirror_session_t session) {
        meta.copy.session = session;
        meta.copy.kind = COPY_MIRROR;
        meta.copy.bd = meta.egress.bd;
        meta.copy.ingress_port = standard_metadata.ingress_port;
    }

    table egress_acl {
        key = {
            meta.egress.label: ternary;
            meta.egress.bd: ternary;
            meta.lookup.ip_type: ternary;
            meta.lookup.ip_protocol: ternary;
            meta.lookup.l4_dst: ternary;
            meta.route.routed: ternary;
        }
        actions = { permit; deny; mirror; }
        default_action = permit();
        counters = egress_acl_hits;
        size = 512;
    }

    apply {
        switch (egress_acl.apply().action_run) {
            mirror: {
                clone_preserving_field_list(
                    CloneType.E2E, (bit<32>) meta.copy.session, FIELDS_MIRROR);
            }
        }
    }
}

#endif
