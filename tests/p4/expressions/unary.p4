// Unary minus, plus and complement, nested and next to binary operators.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; int<8> s; }
header out_t { bit<8> n; bit<8> nn; bit<8> cn; bit<8> nc; bit<8> p; int<8> sn; int<8> sc; bit<8> sub; bit<8> add; }

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
        hdr.o.n = -hdr.i.a;
        hdr.o.nn = -(-hdr.i.a);
        hdr.o.cn = ~-hdr.i.a;
        hdr.o.nc = -~hdr.i.a;
        hdr.o.p = +hdr.i.a;
        hdr.o.sn = -hdr.i.s;
        hdr.o.sc = ~hdr.i.s;
        hdr.o.sub = hdr.i.a - -hdr.i.a;
        hdr.o.add = hdr.i.a + ~hdr.i.a;
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
