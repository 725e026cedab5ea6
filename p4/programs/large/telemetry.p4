// In-band telemetry: this hop's record goes in front of the others.

#ifndef LARGE_TELEMETRY_P4
#define LARGE_TELEMETRY_P4

control IntTransit(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    action transit(bit<32> switch_id) {
        meta.telemetry.switch_id = switch_id;
        meta.telemetry.transit = 1;
    }

    // Which instructions this switch understands.
    table int_transit {
        key = { hdr.int_header.instructions: ternary; }
        actions = { transit; NoAction; }
        const default_action = NoAction();
        size = 16;
    }

    action add_record() {
        hdr.int_hop.push_front(1);
        hdr.int_hop[0].setValid();
        hdr.int_hop[0].switchId = meta.telemetry.switch_id;
        hdr.int_hop[0].ingressPort = (bit<16>) standard_metadata.ingress_port;
        hdr.int_hop[0].egressPort = (bit<16>) standard_metadata.egress_port;
        hdr.int_hop[0].queue = (bit<8>) meta.qos.queue;
        hdr.int_hop[0].queueDepth = (bit<24>) standard_metadata.deq_qdepth;
        hdr.int_hop[0].hopLatency = standard_metadata.deq_timedelta;
        hdr.int_header.hopCount = hdr.int_header.hopCount + 1;
        hdr.int_shim.length = hdr.int_shim.length + (bit<8>) (INT_HOP_LEN >> 2);
        hdr.udp.length = hdr.udp.length + INT_HOP_LEN;
        hdr.udp.checksum = 0;
        meta.tunnel.frame_length = meta.tunnel.frame_length + INT_HOP_LEN;
    }

    action no_room() {
        hdr.int_header.e = 1;
    }

    apply {
        if (hdr.int_header.isValid() && int_transit.apply().hit) {
            // More than three records were not parsed, so there is no place
            // for a fourth in front of them.
            if (hdr.int_header.hopCount >= hdr.int_header.maxHops
                || hdr.int_header.hopCount >= MAX_INT_HOPS) {
                no_room();
            } else {
                add_record();
                if (hdr.ipv4.isValid()) {
                    hdr.ipv4.totalLen = hdr.ipv4.totalLen + INT_HOP_LEN;
                    meta.egress.ipv4_changed = 1;
                } else if (hdr.ipv6.isValid()) {
                    hdr.ipv6.payloadLen = hdr.ipv6.payloadLen + INT_HOP_LEN;
                }
            }
        }
    }
}

#endif
