// Shifts by compile-time amounts: the literal keeps its value (256 is not cast to bit<8>), and
// chains associate to the left.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; int<8> y; }
header out_t { bit<8> a; bit<8> b; bit<8> c; bit<8> d; bit<8> e; int<8> f; int<8> g; int<8> h; bit<16> k; bit<8> l; }
const int FAR = 256;

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.a = hdr.i.x << 3;
        hdr.o.b = (hdr.i.x << 3) >> 3;
        hdr.o.c = hdr.i.x << 8;
        hdr.o.d = hdr.i.x >> 1024;
        hdr.o.e = hdr.i.x << 0;
        hdr.o.f = hdr.i.y >> 2;
        hdr.o.g = hdr.i.y >> FAR;
        hdr.o.h = hdr.i.y << 1;
        hdr.o.k = 16w1 << hdr.i.x[3:0];
        hdr.o.l = 8w1 << 8w3 << 8w2;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
