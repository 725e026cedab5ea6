// Integer literals in all bases, with underscores, widths and signs; a leading 0 does not mean
// octal.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; }
header out_t { bit<16> a; bit<8> b; bit<8> c; bit<8> d; bit<16> e; bit<8> f; int<8> g; int<8> h; bit<8> k; bit<16> l; bit<32> n; }

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
        hdr.o.a = 0x1_000;
        hdr.o.b = 0b1010_1010;
        hdr.o.c = 0o377;
        hdr.o.d = 0d99;
        hdr.o.e = 0377;
        hdr.o.f = 8w0x5A;
        hdr.o.g = 8s0b1000_0000;
        hdr.o.h = -8s1;
        hdr.o.k = 4w15 ++ 4w0x0;
        hdr.o.l = 8w0XfF ++ 8w0B11;
        hdr.o.n = 32w1_000_000;
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
