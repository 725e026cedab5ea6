// Casts of bit<W>: truncation keeps the low bits, widening adds zeros, bit to int reinterprets.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<16> u; }
header out_t { bit<8> t8; bit<24> z24; bit<72> z72; bit<1> b1; bit<16> r; int<24> s; int<24> t; bit<7> pad; }

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
        hdr.o.t8 = (bit<8>)hdr.i.u;
        hdr.o.z24 = (bit<24>)hdr.i.u;
        hdr.o.z72 = (bit<72>)hdr.i.u;
        hdr.o.b1 = (bit<1>)hdr.i.u;
        hdr.o.r = (bit<16>)(bit<12>)hdr.i.u;
        hdr.o.s = (int<24>)(int<16>)hdr.i.u;
        hdr.o.t = (int<24>)(int<8>)(bit<8>)hdr.i.u;
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
