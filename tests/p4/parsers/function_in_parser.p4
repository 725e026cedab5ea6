// Functions called from a parser, in statements and in the key of a select;
// metadata written by the parser arrives in ingress.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
    bit<8> r;
}
struct headers_t {
    h_t h;
}
struct meta_t {
    bit<8> m;
}

bit<8> max(in bit<8> x, in bit<8> y) {
    return x > y ? x : y;
}
bit<8> take(inout bit<8> x) {
    bit<8> old = x;
    x = 0;
    return old;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        meta.m = take(hdr.h.r);
        transition select(max(hdr.h.a, hdr.h.b)) {
            7: seven;
            default: accept;
        }
    }
    state seven {
        hdr.h.r = 0x77;
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        hdr.h.a = meta.m;
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
