// Saturating addition and subtraction of unsigned integers at 7, 8, 65 and 256 bits.
#include <core.p4>
#include <v1model.p4>

header in_t {
    bit<8> a; bit<8> b;
    bit<7> p; bit<7> q; bit<65> r; bit<65> s;
    bit<256> u; bit<256> v;
}
header out_t {
    bit<8> a8; bit<8> s8;
    bit<7> a7; bit<7> s7; bit<65> a65; bit<65> s65;
    bit<256> a256; bit<256> s256;
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
        hdr.o.a8 = hdr.i.a |+| hdr.i.b;
        hdr.o.s8 = hdr.i.a |-| hdr.i.b;
        hdr.o.a7 = hdr.i.p |+| hdr.i.q;
        hdr.o.s7 = hdr.i.p |-| hdr.i.q;
        hdr.o.a65 = hdr.i.r |+| hdr.i.s;
        hdr.o.s65 = hdr.i.r |-| hdr.i.s;
        hdr.o.a256 = hdr.i.u |+| hdr.i.v;
        hdr.o.s256 = hdr.i.u |-| hdr.i.v;
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
