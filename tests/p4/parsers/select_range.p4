// Ranges in a select contain both ends; where they overlap the first one wins;
// ranges of signed values compare as signed.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    int<8> s;
    bit<8> r;
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
        transition select(hdr.h.k) {
            10 .. 20: a;
            15 .. 30: b;
            0xf0 .. 0xff: c;
            40 .. 40: d;
            default: signed;
        }
    }
    state a {
        hdr.h.r = 1;
        transition signed;
    }
    state b {
        hdr.h.r = 2;
        transition signed;
    }
    state c {
        hdr.h.r = 3;
        transition signed;
    }
    state d {
        hdr.h.r = 4;
        transition signed;
    }
    state signed {
        transition select(hdr.h.s) {
            -5 .. 5: small;
            -128 .. -100: very_negative;
            default: accept;
        }
    }
    state small {
        hdr.h.t = 1;
        transition accept;
    }
    state very_negative {
        hdr.h.t = 2;
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
