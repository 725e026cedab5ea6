// Arithmetic at the machine word and one bit above it: 64 and 65 bits.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<64> a; bit<64> b; bit<65> p; bit<65> q; bit<6> pad; }
header out_t {
    bit<64> s64; bit<64> d64; bit<64> m64;
    bit<65> s65; bit<65> d65; bit<65> m65; bit<65> n65;
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
        hdr.o.s64 = hdr.i.a + hdr.i.b;
        hdr.o.d64 = hdr.i.a - hdr.i.b;
        hdr.o.m64 = hdr.i.a * hdr.i.b;
        hdr.o.s65 = hdr.i.p + hdr.i.q;
        hdr.o.d65 = hdr.i.q - hdr.i.p;
        hdr.o.m65 = hdr.i.p * hdr.i.q;
        hdr.o.n65 = -hdr.i.p;
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
