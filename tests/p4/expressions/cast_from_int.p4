// Conversion of int constants to fixed width keeps the low bits of the two's complement, in casts
// and where the compiler inserts them.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; }
header out_t { bit<8> a; bit<16> b; int<8> c; bit<72> d; bit<8> e; bit<8> f; bit<8> g; int<8> h; }
const int BIG = 0x12345;
const bit<65> W65 = (bit<65>)((1 << 64) + 2);

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
        hdr.o.a = (bit<8>)BIG;
        hdr.o.b = (bit<16>)(-1);
        hdr.o.c = (int<8>)(-129);
        hdr.o.d = (bit<72>)W65;
        hdr.o.e = (bit<8>)300;
        // 0x10 + (bit<8>)0xfff = 0x10 - 1
        hdr.o.f = hdr.i.x + (bit<8>)0xfff;
        hdr.o.g = hdr.i.x | 0xf;
        hdr.o.h = -1;
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
