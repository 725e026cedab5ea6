// Logical shifts of bit<8>, bit<13> and bit<65> by a run-time amount, up to and beyond the width.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> n; bit<8> x; bit<13> y; bit<65> z; bit<2> pad; }
header out_t {
    bit<8> l8; bit<8> r8;
    bit<13> l13; bit<13> r13;
    bit<65> l65; bit<65> r65;
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
        hdr.o.l8 = hdr.i.x << hdr.i.n;
        hdr.o.r8 = hdr.i.x >> hdr.i.n;
        hdr.o.l13 = hdr.i.y << hdr.i.n;
        hdr.o.r13 = hdr.i.y >> hdr.i.n;
        hdr.o.l65 = hdr.i.z << hdr.i.n;
        hdr.o.r65 = hdr.i.z >> hdr.i.n;
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
