// The switch expression is evaluated once, its side effects are visible in the case; switch in
// functions and actions.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> r; bit<8> n; bit<8> f; bit<8> q; }
bit<8> next(inout bit<8> n) {
    n = n + 1;
    return n;
}
bit<8> classify(in bit<8> v) {
    switch (v) {
        0: { return 1; }
        1:
        2: { return 2; }
        default: { return 3; }
    }
    return 4;
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
    action mark() {
        switch (hdr.i.a) {
            1: { hdr.o.q = 0xa1; }
            default: { hdr.o.q = 0xa0; }
        }
    }

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        bit<8> n = hdr.i.a;
        switch (next(n)) {
            2: {
                hdr.o.r = n | 0x20;
                n = 3;
            }
            3: { hdr.o.r = 0x33; }
            default: { hdr.o.r = 0xff; }
        }
        hdr.o.n = n;
        hdr.o.f = classify(hdr.i.a);
        mark();
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
