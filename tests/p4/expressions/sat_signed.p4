// Saturating addition and subtraction of signed integers at 1, 8, 64 and 65 bits.
#include <core.p4>
#include <v1model.p4>

header in_t {
    int<8> a; int<8> b;
    int<1> p; int<1> q;
    int<64> r; int<64> s;
    int<65> u; int<65> v;
    bit<4> pad;
}
header out_t {
    int<8> a8; int<8> s8;
    int<1> a1; int<1> s1;
    int<64> a64; int<64> s64;
    int<65> a65; int<65> s65;
    bit<4> pad;
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
        hdr.o.a1 = hdr.i.p |+| hdr.i.q;
        hdr.o.s1 = hdr.i.p |-| hdr.i.q;
        hdr.o.a64 = hdr.i.r |+| hdr.i.s;
        hdr.o.s64 = hdr.i.r |-| hdr.i.s;
        hdr.o.a65 = hdr.i.u |+| hdr.i.v;
        hdr.o.s65 = hdr.i.u |-| hdr.i.v;
        hdr.o.pad = 0;
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
