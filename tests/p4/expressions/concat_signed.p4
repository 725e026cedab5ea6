// Concatenation of signed with unsigned operands takes its sign from the left one.
#include <core.p4>
#include <v1model.p4>

header in_t { int<8> s; bit<8> u; }
header out_t { int<24> su; bit<24> us; int<16> shr; bit<16> shu; int<24> ss; }

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
        hdr.o.su = (int<24>)(hdr.i.s ++ hdr.i.u);
        hdr.o.us = (bit<24>)(hdr.i.u ++ hdr.i.s);
        hdr.o.shr = (hdr.i.s ++ hdr.i.u) >> 4;
        hdr.o.shu = (hdr.i.u ++ hdr.i.s) >> 4;
        hdr.o.ss = (int<24>)(hdr.i.s ++ hdr.i.s);
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
