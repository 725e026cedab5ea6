// Sub-controls with in, out and inout parameters; local variables are fresh for every application.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> r0; bit<8> s0; bit<8> s1; bit<8> s2; bit<8> calls; }
control Sub(inout bit<8> v, in bit<8> w, out bit<8> s, inout bit<8> total) {
    bit<8> calls = 0;
    apply {
        calls = calls + 1;
        v = v + w;
        s = v ^ 0xff;
        total = total + calls;
    }
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
    Sub() one;
    Sub() two;

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o = { hdr.i.a, 0, 0, 0, 0 };
        one.apply(hdr.o.r0, hdr.i.b, hdr.o.s0, hdr.o.calls);
        one.apply(hdr.o.r0, hdr.i.b, hdr.o.s1, hdr.o.calls);
        two.apply(hdr.o.r0, hdr.i.b, hdr.o.s2, hdr.o.calls);
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
