// Arithmetic shifts of int<8>, int<13> and int<65>; beyond the width the sign fills the result.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> n; int<8> x; int<13> y; int<65> z; bit<2> pad; }
header out_t {
    int<8> r8; int<8> l8;
    int<13> r13; int<13> l13;
    int<65> r65; int<65> l65;
    bit<8> u8;
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
        hdr.o.r8 = hdr.i.x >> hdr.i.n;
        hdr.o.l8 = hdr.i.x << hdr.i.n;
        hdr.o.r13 = hdr.i.y >> hdr.i.n;
        hdr.o.l13 = hdr.i.y << hdr.i.n;
        hdr.o.r65 = hdr.i.z >> hdr.i.n;
        hdr.o.l65 = hdr.i.z << hdr.i.n;
        hdr.o.u8 = (bit<8>)hdr.i.x >> hdr.i.n;
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
