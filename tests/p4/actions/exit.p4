// exit in an action called by a table ends the ingress control after the copy-
// out; no case of the switch runs, egress still does.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
    bit<8> s;
    bit<8> e;
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
    action stop(inout bit<8> x, bit<8> v) {
        x = v;
        exit;
    }
    action go_on(bit<8> v) {
        hdr.h.r = v;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            stop(hdr.h.r);
            go_on;
        }
        default_action = go_on(0xff);
    }
    apply {
        smeta.egress_spec = 1;
        switch (t.apply().action_run) {
            stop: {
                hdr.h.s = 1;
            }
            go_on: {
                hdr.h.s = 2;
            }
        }
        smeta.egress_spec = 2;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    apply {
        hdr.h.e = 0xe0;
    }
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
