// Signed order: negative values are below zero, at 8 and 65 bits, also against an int literal.
#include <core.p4>
#include <v1model.p4>

header in_t { int<8> a; int<8> b; int<65> c; int<65> d; bit<6> pad; }
header out_t { bit<1> lt; bit<1> le; bit<1> gt; bit<1> ge; bit<1> eq; bit<1> ne; bit<1> wlt; bit<1> neg; }

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
        hdr.o.lt = (bit<1>)(hdr.i.a < hdr.i.b);
        hdr.o.le = (bit<1>)(hdr.i.a <= hdr.i.b);
        hdr.o.gt = (bit<1>)(hdr.i.a > hdr.i.b);
        hdr.o.ge = (bit<1>)(hdr.i.a >= hdr.i.b);
        hdr.o.eq = (bit<1>)(hdr.i.a == hdr.i.b);
        hdr.o.ne = (bit<1>)(hdr.i.a != hdr.i.b);
        hdr.o.wlt = (bit<1>)(hdr.i.c < hdr.i.d);
        hdr.o.neg = (bit<1>)(hdr.i.a < 0);
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
