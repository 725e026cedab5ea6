// @defaultonly actions as default action and @tableonly actions in entries.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    action in_table(bit<8> v) {
        hdr.h.r = v;
    }
    action by_default(bit<8> v) {
        hdr.h.r = hdr.h.r | v;
    }
    action anywhere() {
        hdr.h.r = 0x55;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            @tableonly in_table;
            @defaultonly by_default;
            anywhere;
        }
        default_action = by_default(0x80);
    }
    apply {
        smeta.egress_spec = 1;
        switch (t.apply().action_run) {
            by_default: {
                smeta.egress_spec = 2;
            }
            in_table: {
                smeta.egress_spec = 3;
            }
        }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
