// Signed arithmetic at widths 1, 7 and 65.
#include <core.p4>
#include <v1model.p4>

header in_t { int<1> a; int<7> p; int<7> q; int<65> x; int<65> y; bit<7> pad; }
header out_t {
    int<1> d1; int<1> n1; int<1> m1;
    int<7> s7; int<7> m7; int<7> n7;
    int<65> s65; int<65> t65; int<65> m65; int<65> n65;
    int<72> e72;
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
        hdr.o.d1 = hdr.i.a + hdr.i.a;
        hdr.o.n1 = -hdr.i.a;
        hdr.o.m1 = hdr.i.a * hdr.i.a;
        hdr.o.s7 = hdr.i.p + hdr.i.q;
        hdr.o.m7 = hdr.i.p * hdr.i.q;
        hdr.o.n7 = -hdr.i.p;
        hdr.o.s65 = hdr.i.x + hdr.i.y;
        hdr.o.t65 = hdr.i.x - hdr.i.y;
        hdr.o.m65 = hdr.i.x * hdr.i.y;
        hdr.o.n65 = -hdr.i.x;
        hdr.o.e72 = (int<72>)(hdr.i.x - hdr.i.y);
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
