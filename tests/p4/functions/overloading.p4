// Functions overloaded by the number and by the names of their parameters.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; bit<8> y; }
header out_t { bit<8> r0; bit<8> r1; bit<8> r2; bit<8> r3; }
bit<8> area(in bit<8> a) {
    return a * a;
}
bit<8> area(in bit<8> a, in bit<8> b) {
    return a * b;
}
bit<8> mk(in bit<8> lo) {
    return lo;
}
bit<8> mk(in bit<8> hi) {
    return hi << 4;
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
        hdr.o.r0 = area(hdr.i.x);
        hdr.o.r1 = area(hdr.i.x, hdr.i.y);
        hdr.o.r2 = mk(lo = hdr.i.x);
        hdr.o.r3 = mk(hi = hdr.i.y);
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
