// Casts of int<W>: sign extension on widening, truncation, and the order of sign and width changes.
#include <core.p4>
#include <v1model.p4>

header in_t { int<16> s; }
header out_t { int<8> t8; int<24> e24; int<80> e80; bit<24> u; bit<24> v; int<16> n; int<8> o1; }

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
        hdr.o.t8 = (int<8>)hdr.i.s;
        hdr.o.e24 = (int<24>)hdr.i.s;
        hdr.o.e80 = (int<80>)hdr.i.s;
        hdr.o.u = (bit<24>)(bit<16>)hdr.i.s;
        hdr.o.v = (bit<24>)(int<24>)hdr.i.s;
        hdr.o.n = (int<16>)(int<9>)hdr.i.s;
        hdr.o.o1 = (int<8>)(int<1>)hdr.i.s;
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
