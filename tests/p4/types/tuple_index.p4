// Tuple elements by constant index, nested tuples, tuple copies.
#include <core.p4>
#include <v1model.p4>

typedef tuple<bit<8>, bit<16>, bool> triple_t;
header in_t { bit<8> x; bit<16> y; }
header out_t { bit<8> t0; bit<16> t1; bit<8> t2; bit<16> n01; bit<8> n10; bit<8> u0; bit<8> v0; }
const int LAST = 2;
triple_t same(in triple_t t) {
    return t;
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
        triple_t t = { hdr.i.x, hdr.i.y, hdr.i.x == 0x11 };
        hdr.o.t0 = t[0];
        hdr.o.t1 = t[1];
        hdr.o.t2 = t[LAST] ? 8w1 : 8w0;
        tuple<triple_t, tuple<bit<8>, bit<8>>> n = { t, { 3, 4 } };
        hdr.o.n01 = n[0][1];
        hdr.o.n10 = n[1][0];
        triple_t u = same(t);
        t = { 0x44, 0, false };
        hdr.o.u0 = u[0];
        hdr.o.v0 = t[0];
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
