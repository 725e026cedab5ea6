// Bitwise and, or, xor and complement on bit<8> and int<65>; complement stays inside the width.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; int<65> c; int<65> d; bit<6> pad; }
header out_t {
    bit<8> and_; bit<8> or_; bit<8> xor_; bit<8> not_;
    int<65> wand; int<65> wor; int<65> wxor; int<65> wnot;
    int<72> ext;
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
        hdr.o.and_ = hdr.i.a & hdr.i.b;
        hdr.o.or_ = hdr.i.a | hdr.i.b;
        hdr.o.xor_ = hdr.i.a ^ hdr.i.b;
        hdr.o.not_ = ~hdr.i.a;
        hdr.o.wand = hdr.i.c & hdr.i.d;
        hdr.o.wor = hdr.i.c | hdr.i.d;
        hdr.o.wxor = hdr.i.c ^ hdr.i.d;
        hdr.o.wnot = ~hdr.i.c;
        hdr.o.ext = (int<72>)~hdr.i.c;
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
