// switch on bit<8>: shared labels fall through to the next block only, constant expressions as
// labels, default.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> r; }
const bit<8> BASE = 0x10;

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
        hdr.o.r = 0xee;
        switch (hdr.i.a) {
            1: { hdr.o.r = 0x10; }
            2:
            3: { hdr.o.r = 0x20 | hdr.i.a; }
            4:
            5:
            6: { hdr.o.r = 0x60; }
            7: { }
            BASE + 1: { hdr.o.r = 0x70; }
            0x80: { hdr.o.r = 0x81; }
            0x81: { hdr.o.r = 0x91; }
            default: { hdr.o.r = 0xff; }
        }
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
