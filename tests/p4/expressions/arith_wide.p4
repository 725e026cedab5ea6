// Addition, subtraction and multiplication of 128, 256 and 512 bits, modulo 2^width.
#include <core.p4>
#include <v1model.p4>

header in_t {
    bit<128> a; bit<128> b;
    bit<256> c; bit<256> d;
    bit<512> e; bit<512> f;
}
header out_t {
    bit<128> s128; bit<128> d128; bit<128> m128;
    bit<256> s256; bit<256> d256; bit<256> m256;
    bit<512> s512; bit<512> d512; bit<512> m512;
}

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
        hdr.o.s128 = hdr.i.a + hdr.i.b;
        hdr.o.d128 = hdr.i.a - hdr.i.b;
        hdr.o.m128 = hdr.i.a * hdr.i.b;
        hdr.o.s256 = hdr.i.c + hdr.i.d;
        hdr.o.d256 = hdr.i.d - hdr.i.c;
        hdr.o.m256 = hdr.i.c * hdr.i.d;
        hdr.o.s512 = hdr.i.e + hdr.i.f;
        hdr.o.d512 = hdr.i.e - hdr.i.f;
        hdr.o.m512 = hdr.i.e * hdr.i.f;
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
