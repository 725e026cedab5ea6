// Functions that call functions, and an early return that still copies out.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; bit<8> c; }
header out_t { bit<8> max; bit<8> clamped; bit<8> hits; bit<8> steps; bit<8> thrice; }
bit<8> max(in bit<8> x, in bit<8> y) {
    return x > y ? x : y;
}
bit<8> max3(in bit<8> x, in bit<8> y, in bit<8> z) {
    return max(max(x, y), z);
}
bit<8> clamp(in bit<8> v, inout bit<8> hits, out bit<8> steps) {
    steps = 1;
    if (v > 100) {
        hits = hits + 1;
        return 100;
    }
    steps = 2;
    return v;
}
bit<8> twice(in bit<8> v) {
    return v + v;
}
bit<8> thrice(in bit<8> v) {
    return twice(v) + v;
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
        hdr.o.max = max3(hdr.i.a, hdr.i.b, hdr.i.c);
        bit<8> hits = 0x10;
        bit<8> steps;
        hdr.o.clamped = clamp(hdr.o.max, hits, steps);
        hdr.o.hits = hits;
        hdr.o.steps = steps;
        hdr.o.thrice = thrice(hdr.i.a + 1) + 1;
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
