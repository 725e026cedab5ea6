// Default parameter values and named arguments.
#include <core.p4>
#include <v1model.p4>

const bit<8> DEF = 0x40;
header in_t { bit<8> x; }
header out_t { bit<24> r0; bit<24> r1; bit<24> r2; bit<24> r3; bit<24> r4; bit<16> r5; bit<16> r6; bit<8> r7; }
bit<24> f(in bit<8> a, in bit<8> b = 2, in bit<8> c = 5) {
    return a ++ b ++ c;
}
bit<16> g(in bit<8> b = 3, in bit<8> a) {
    return b ++ a;
}
bit<8> h(in bit<8> v = DEF + 1) {
    return v;
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
        bit<8> x = hdr.i.x;
        hdr.o.r0 = f(x);
        hdr.o.r1 = f(x, 7);
        hdr.o.r2 = f(x, 7, 8);
        hdr.o.r3 = f(a = x, c = 9);
        hdr.o.r4 = f(c = x, a = 1);
        hdr.o.r5 = g(a = x);
        hdr.o.r6 = g(4, x);
        hdr.o.r7 = h();
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
