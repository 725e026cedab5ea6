// Header equality looks at validity first: two invalid headers are equal whatever they contain, a
// valid and an invalid one never.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> k; }
header two_t { bit<8> x; bit<8> y; }
header out_t { bit<8> r; }

struct headers_t {
    in_t i;
    two_t a;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        pkt.extract(hdr.a);
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
        two_t b;
        bit<8> x = hdr.a.x;
        bit<8> y = hdr.a.y;
        if (hdr.i.k == 1) {
            b = hdr.a;
        } else if (hdr.i.k == 2) {
            b = { x, y + 1 };
        } else if (hdr.i.k == 3) {
            b = hdr.a;
            b.setInvalid();
        } else if (hdr.i.k == 4) {
            b = { y, x };
            b.setInvalid();
            hdr.a.setInvalid();
        }
        hdr.o.r = 0;
        if (hdr.a == b) { hdr.o.r = hdr.o.r | 1; }
        if (hdr.a != b) { hdr.o.r = hdr.o.r | 2; }
        if (b == {#}) { hdr.o.r = hdr.o.r | 4; }
        if (b == (two_t){ x, y }) { hdr.o.r = hdr.o.r | 8; }
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
