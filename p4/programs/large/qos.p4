// Quality of service: class, policing, queue, marking.

#ifndef LARGE_QOS_P4
#define LARGE_QOS_P4

control Classify(inout metadata_t meta) {
    action set_traffic_class(traffic_class_t traffic_class, color_t color) {
        meta.qos.traffic_class = traffic_class;
        meta.qos.color = color;
    }

    table dscp_to_class {
        key = { meta.lookup.dscp: exact; }
        actions = { set_traffic_class; NoAction; }
        default_action = NoAction();
        size = 64;
    }

    table pcp_to_class {
        key = { meta.lookup.pcp: exact; }
        actions = { set_traffic_class; NoAction; }
        default_action = NoAction();
        size = 8;
    }

    apply {
        if (meta.port.trust_dscp == 1 && meta.lookup.ip_type != IpType.NONE) {
            dscp_to_class.apply();
        } else if (meta.port.trust_pcp == 1) {
            pcp_to_class.apply();
        }
    }
}

control Police(inout metadata_t meta) {
    meter(4096, MeterType.bytes) policer;
    counter(4096, CounterType.packets_and_bytes) policer_drops;
    direct_meter<color_t>(MeterType.bytes) class_meter;

    action transmit() {}

    action drop() {
        meta.acl.drop_reason = DropReason.POLICER;
    }

    action remark_dscp(bit<6> dscp) {
        meta.qos.remark_dscp = 1;
        meta.qos.dscp = dscp;
    }

    // What becomes of a colour; red is dropped unless the table says otherwise.
    table policer_action {
        key = {
            meta.acl.policer_index: exact;
            meta.qos.color: exact;
        }
        actions = { transmit; drop; remark_dscp; }
        default_action = transmit();
        size = 1024;
    }

    action meter_class() {
        class_meter.read(meta.qos.color);
    }

    // One rate for everything of a class on a port.
    table class_policer {
        key = {
            meta.port.ifindex: exact;
            meta.qos.traffic_class: exact;
        }
        actions = { meter_class; NoAction; }
        default_action = NoAction();
        meters = class_meter;
        size = 512;
    }

    apply {
        if (meta.acl.policer_index != 0) {
            policer.execute_meter((bit<32>) meta.acl.policer_index, meta.qos.color);
            switch (policer_action.apply().action_run) {
                drop: { policer_drops.count((bit<32>) meta.acl.policer_index); }
            }
        } else if (class_policer.apply().hit && meta.qos.color == (color_t) Color.RED) {
            meta.acl.drop_reason = DropReason.POLICER;
        }
    }
}

control ChooseQueue(inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    action set_queue(bit<3> queue) {
        meta.qos.queue = queue;
        standard_metadata.priority = queue;
    }

    table class_to_queue {
        key = {
            meta.qos.traffic_class: ternary;
            meta.qos.color: ternary;
        }
        actions = { set_queue; NoAction; }
        default_action = NoAction();
        size = 64;
    }

    apply {
        class_to_queue.apply();
    }
}

// In egress, towards the next switch.
control MarkQos(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    action mark(bit<6> dscp, bit<3> pcp) {
        meta.qos.remark_dscp = 1;
        meta.qos.dscp = dscp;
        meta.qos.remark_pcp = 1;
        meta.qos.pcp = pcp;
    }

    action mark_pcp(bit<3> pcp) {
        meta.qos.remark_pcp = 1;
        meta.qos.pcp = pcp;
    }

    table class_to_marks {
        key = {
            meta.egress.ifindex: ternary;
            meta.qos.traffic_class: ternary;
            meta.qos.color: ternary;
        }
        actions = { mark; mark_pcp; NoAction; }
        default_action = NoAction();
        size = 256;
    }

    // Congestion Experienced instead of a drop (RFC 3168), by queue.
    action congestion_threshold(bit<19> depth) {
        if (standard_metadata.enq_qdepth >= depth) {
            if (hdr.ipv4.isValid() && hdr.ipv4.ecn != 0) {
                hdr.ipv4.ecn = 3;
                meta.egress.ipv4_changed = 1;
            }
            if (hdr.ipv6.isValid() && hdr.ipv6.ecn != 0) {
                hdr.ipv6.ecn = 3;
            }
        }
    }

    table ecn_marking {
        key = {
            standard_metadata.egress_port: exact;
            meta.qos.queue: exact;
        }
        actions = { congestion_threshold; NoAction; }
        default_action = NoAction();
        size = 1024;
    }

    apply {
        class_to_marks.apply();
        if (meta.qos.remark_dscp == 1) {
            if (hdr.ipv4.isValid()) {
                hdr.ipv4.dscp = meta.qos.dscp;
                meta.egress.ipv4_changed = 1;
            } else if (hdr.ipv6.isValid()) {
                hdr.ipv6.dscp = meta.qos.dscp;
            }
        }
        ecn_marking.apply();
    }
}

#endif
