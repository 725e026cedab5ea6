// An action at the top level, used by ingress and egress, by tables and
// directly; it reads a global constant.
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

struct limits_t {
    bit<8> low;
    bit<8> high;
}
const limits_t LIMITS = { 0x10, 0x20 };

action clamp(inout bit<8> x, bit<8> offset) {
    x = x + offset;
    if (x < LIMITS.low) {
        x = LIMITS.low;
    }
    if (x > LIMITS.high) {
        x = LIMITS.high;
    }
}

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
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            clamp(hdr.h.r);
            NoAction;
        }
        default_action = NoAction();
    }
    apply {
        smeta.egress_spec = 1;
        t.apply();
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            .clamp(hdr.h.s);
        }
        default_action = .clamp(hdr.h.s, 0);
    }
    apply {
        t.apply();
        clamp(hdr.h.k, 0);
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
