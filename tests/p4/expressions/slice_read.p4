// Slices as values: both ends inclusive, across word boundaries, of slices, and of signed integers
// (always unsigned).
#include <core.p4>
#include <v1model.p4>

header in_t { bit<128> x; int<16> s; }
header out_t { bit<8> a; bit<8> b; bit<8> c; bit<8> d; bit<16> e; bit<16> f; bit<8> g; bit<64> h; }

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
        hdr.o.a = hdr.i.x[7:0];
        hdr.o.b = hdr.i.x[127:120];
        hdr.o.c = hdr.i.x[67:60];
        hdr.o.d = hdr.i.x[127:127] ++ hdr.i.x[0:0] ++ hdr.i.x[64:64] ++ 5w0;
        hdr.o.e = hdr.i.x[95:32][39:24];
        hdr.o.f = (bit<16>)hdr.i.s[11:4];
        hdr.o.g = hdr.i.x[71:64] + 1;
        hdr.o.h = hdr.i.x[127:0][126:63];
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
