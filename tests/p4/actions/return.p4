// return ends the action, not the control; the copy-out of its parameters
// still takes place.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
    bit<8> s;
    bit<8> t;
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
    action limited(inout bit<8> x, bit<8> limit) {
        x = x + 1;
        if (x > limit) {
            x = limit;
            return;
        }
        x = x + 0x40;
    }
    action outer() {
        limited(hdr.h.s, 8);
        // The return inside of limited came back to here.
        hdr.h.t = 1;
        if (hdr.h.s == 8) {
            return;
        }
        hdr.h.t = 2;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            limited(hdr.h.r);
            outer;
        }
        default_action = outer();
    }
    apply {
        t.apply();
        smeta.egress_spec = 1;
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
