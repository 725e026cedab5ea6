// Constants of struct and tuple types, built from one another, and used through field and index
// selection.
#include <core.p4>
#include <v1model.p4>

struct point_t { bit<8> x; bit<8> y; }
struct named_t { bit<8> n; point_t p; }
const named_t ORIGIN = { 1, { 2, 3 } };
const named_t SHIFTED = { p = ORIGIN.p, n = ORIGIN.n + 0x10 };
const tuple<bit<8>, bool> PAIR = { 5, true };
header in_t { bit<8> x; }
header out_t { bit<8> r0; bit<8> r1; bit<8> r2; bit<8> r3; bit<8> r4; bit<8> r5; }

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
        const bit<8> LOCAL = ORIGIN.p.x << 4;
        hdr.o.r0 = SHIFTED.n;
        hdr.o.r1 = SHIFTED.p.y;
        hdr.o.r2 = PAIR[0];
        hdr.o.r3 = PAIR[1] ? 8w1 : 8w0;
        hdr.o.r4 = LOCAL;
        hdr.o.r5 = hdr.i.x + ORIGIN.p.y;
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
