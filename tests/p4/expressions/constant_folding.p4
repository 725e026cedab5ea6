// Fixed-width constants fold with the same wrap-around, saturation and sign rules as run-time
// values; widths may be constant expressions.
#include <core.p4>
#include <v1model.p4>

const int WIDTH = 3 * 4 + 4;
const bit<8> SUM = 8w250 + 8w10;
const bit<8> SAT = 8w250 |+| 8w10;
const int<8> SHR = (8s127 + 8s1) >> 1;
const bool C = 4 > 3;
header in_t { bit<8> x; }
header out_t { bit<(WIDTH)> k; bit<8> s; bit<8> t; int<8> sr; bit<(WIDTH / 2)> c; bit<8> w; bit<8> n; bit<8> u; }

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
        hdr.o.k = ~(bit<(WIDTH)>)0;
        hdr.o.s = SUM;
        hdr.o.t = SAT;
        hdr.o.sr = SHR;
        hdr.o.c = C ? 8w1 : 8w2;
        hdr.o.w = hdr.i.x + (SUM << 1);
        hdr.o.n = ~4w3 ++ 4w3;
        hdr.o.u = 0 - 8w1;
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
