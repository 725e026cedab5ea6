// A @hidden table with const entries, and a @hidden action, work like others
// in the data plane; a visible table beside them keeps its name.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
    bit<8> s;
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
    @hidden action set(bit<8> v) {
        hdr.h.r = v;
    }
    action mark(bit<8> v) {
        hdr.h.s = v;
    }
    @hidden table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            set;
        }
        const default_action = set(0xff);
        const entries = {
            1: set(0x11);
            2: set(0x22);
        }
    }
    table visible {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            mark;
            NoAction;
        }
        default_action = NoAction();
    }
    apply {
        smeta.egress_spec = 1;
        t.apply();
        visible.apply();
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
