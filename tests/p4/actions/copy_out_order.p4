// Two inout arguments with the same l-value: both copies start from the old
// value and are copied out from left to right, so the last parameter stays.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
    bit<8> c;
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
    action both(inout bit<8> x, inout bit<8> y) {
        x = x + 1;
        y = y + 2;
        x = x + y;
    }
    action swap(inout bit<8> x, inout bit<8> y) {
        bit<8> t = x;
        x = y;
        y = t;
    }
    apply {
        smeta.egress_spec = 1;
        both(hdr.h.a, hdr.h.a);
        swap(hdr.h.b, hdr.h.c);
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
