// A value_set that nobody filled contains nothing, not even zero: the select
// falls through to the next labels.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
}
struct headers_t {
    h_t h;
}
struct pair_t {
    bit<8> k;
    bit<8> r;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    value_set<bit<8>>(4) known;
    value_set<pair_t>(2) pairs;
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.k) {
            known: in_set;
            1: one;
            default: other;
        }
    }
    state in_set {
        hdr.h.r = 0xff;
        transition accept;
    }
    state one {
        hdr.h.r = 1;
        transition second;
    }
    state other {
        hdr.h.r = 2;
        transition second;
    }
    state second {
        transition select(hdr.h.k, hdr.h.r) {
            pairs: in_set;
            (0, 2): zero;
            default: accept;
        }
    }
    state zero {
        hdr.h.r = 3;
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply { smeta.egress_spec = 1; }
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
