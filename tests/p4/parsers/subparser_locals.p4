// Local variables of a sub-parser are initialised at every call, from the
// parameters of that call; nothing is left from the call before.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
    bit<8> r;
    bit<8> s;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

parser Accumulate(packet_in p, in bit<8> seed, out bit<8> result) {
    bit<8> sum = 10;
    bit<8> twice = seed + seed;
    const bit<8> STEP = 3;
    state start {
        sum = sum + STEP;
        transition select(sum >= 16) {
            true: done;
            false: start;
        }
    }
    state done {
        result = sum + twice;
        transition accept;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    Accumulate() acc;
    state start {
        pkt.extract(hdr.h);
        acc.apply(pkt, hdr.h.a, hdr.h.r);
        acc.apply(pkt, hdr.h.b, hdr.h.s);
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
