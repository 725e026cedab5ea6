// Headers do not survive from packet to packet, and out header parameters start invalid.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; }
header one_t { bit<8> x; }
header out_t { bit<8> r; }
bool seen(out one_t h) {
    return h.isValid();
}

struct headers_t {
    in_t i;
    one_t b;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        transition select(hdr.i.x) {
            1: more;
            default: accept;
        }
    }
    state more {
        pkt.extract(hdr.b);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    one_t l;

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.r = 0;
        if (hdr.b.isValid()) { hdr.o.r = hdr.o.r | 1; }
        if (l.isValid()) { hdr.o.r = hdr.o.r | 2; }
        one_t arg = { 5 };
        if (seen(arg)) { hdr.o.r = hdr.o.r | 4; }
        if (arg.isValid()) { hdr.o.r = hdr.o.r | 8; }
        if (hdr.i.x == 1) { l = { 9 }; }
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
