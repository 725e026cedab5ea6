// Wrap-around of +, -, * and unary minus at the odd widths 7 and 13.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<7> x; bit<7> y; bit<13> p; bit<13> q; }
header out_t {
    bit<7> xs; bit<7> xd; bit<7> xm; bit<7> xn;
    bit<13> ps; bit<13> pd; bit<13> pm; bit<13> pn;
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
        hdr.o.xs = hdr.i.x + hdr.i.y;
        hdr.o.xd = hdr.i.x - hdr.i.y;
        hdr.o.xm = hdr.i.x * hdr.i.y;
        hdr.o.xn = -hdr.i.x;
        hdr.o.ps = hdr.i.p + hdr.i.q;
        hdr.o.pd = hdr.i.p - hdr.i.q;
        hdr.o.pm = hdr.i.p * hdr.i.q;
        hdr.o.pn = -hdr.i.q;
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
