// List and structure-valued expressions for nested structs: positional, by name in any order, mixed,
// cast, and selected from.
#include <core.p4>
#include <v1model.p4>

struct inner_t { bit<8> a; bit<8> b; }
struct outer_t { bit<8> n; inner_t inner; }
header in_t { bit<8> x; }
header out_t { bit<24> r0; bit<24> r1; bit<24> r2; bit<24> r3; bit<8> r4; bit<24> r5; }
bit<24> flat(in outer_t o) {
    return o.n ++ o.inner.a ++ o.inner.b;
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
        outer_t s = { 1, { x, 3 } };
        hdr.o.r0 = flat(s);
        s = { inner = { b = 4, a = x }, n = 5 };
        hdr.o.r1 = flat(s);
        s = { 6, { b = x, a = 7 } };
        hdr.o.r2 = flat(s);
        hdr.o.r3 = flat((outer_t){ 8, { 9, x } });
        hdr.o.r4 = ((inner_t){ 0xa, x }).b;
        inner_t i = { x, 0xc };
        hdr.o.r5 = flat({ n = 0xb, inner = i });
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
