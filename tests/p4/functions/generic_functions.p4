// Generic functions with inferred and explicit type arguments, on integers, structs and tuples.
#include <core.p4>
#include <v1model.p4>

struct pair_t { bit<8> a; bit<8> b; }
header in_t { bit<8> x; bit<16> y; }
header out_t { bit<8> r0; bit<16> r1; bit<16> r2; bit<16> r3; bit<16> r4; bit<16> r5; }
T pick<T>(in bool first, in T a, in T b) {
    if (first) {
        return a;
    }
    return b;
}
void swap<T>(inout T a, inout T b) {
    T t = a;
    a = b;
    b = t;
}
tuple<T, T> twice<T>(in T a) {
    return { a, a };
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
        hdr.o.r0 = pick(x != 0x11, x, 8w2);
        hdr.o.r1 = pick(true, hdr.i.y, 16w0);
        pair_t s = { 1, x };
        pair_t q = { 2, 3 };
        swap(s, q);
        hdr.o.r2 = s.a ++ s.b;
        hdr.o.r3 = q.a ++ q.b;
        hdr.o.r4 = pick<bit<16>>(false, 0x0203, 0x0102);
        tuple<bit<8>, bit<8>> t = twice(x);
        hdr.o.r5 = t[0] ++ t[1];
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
