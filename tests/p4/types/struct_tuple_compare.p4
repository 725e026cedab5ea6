// Structs and tuples are equal when all their fields are, nested ones and the last one included.
#include <core.p4>
#include <v1model.p4>

struct inner_t { bit<8> b; bit<8> c; }
struct pair_t { bit<8> a; inner_t n; }
struct empty_t { }
header in_t { bit<8> a; bit<8> b; bit<8> c; bit<8> d; bit<8> e; bit<8> f; }
header out_t { bit<1> r0; bit<1> r1; bit<1> r2; bit<1> r3; bit<1> r4; bit<1> r5; bit<1> r6; bit<1> pad; }

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
        pair_t s = { hdr.i.a, { hdr.i.b, hdr.i.c } };
        pair_t q = { hdr.i.d, { hdr.i.e, hdr.i.f } };
        tuple<bit<8>, tuple<bit<8>, bit<8>>> t = { hdr.i.a, { hdr.i.b, hdr.i.c } };
        tuple<bit<8>, tuple<bit<8>, bit<8>>> v = { hdr.i.d, { hdr.i.e, hdr.i.f } };
        empty_t m = { };
        empty_t n = { };
        hdr.o.r0 = (bit<1>)(s == q);
        hdr.o.r1 = (bit<1>)(s != q);
        hdr.o.r2 = (bit<1>)(t == v);
        hdr.o.r3 = (bit<1>)(t != v);
        hdr.o.r4 = (bit<1>)(s == (pair_t){ 1, { 2, 3 } });
        hdr.o.r5 = (bit<1>)(s.n == q.n);
        hdr.o.r6 = (bit<1>)(m == n);
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
