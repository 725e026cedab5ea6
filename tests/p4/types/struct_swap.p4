// A structure-valued right side is evaluated completely before anything is assigned, so a struct can
// be permuted in place.
#include <core.p4>
#include <v1model.p4>

struct pair_t { bit<8> a; bit<8> b; }
struct triple_t { bit<8> a; bit<8> b; bit<8> c; }
header in_t { bit<8> x; bit<8> y; }
header out_t { bit<16> r0; bit<16> r1; bit<16> r2; bit<16> r3; bit<16> r4; bit<24> r5; }

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
        pair_t s = { hdr.i.x, hdr.i.y };
        pair_t p = s;
        p = { p.b, p.a };
        hdr.o.r0 = p.a ++ p.b;
        p = s;
        p = { a = p.b, b = p.a };
        hdr.o.r1 = p.a ++ p.b;
        p = s;
        p = { b = p.a, a = p.b };
        hdr.o.r2 = p.a ++ p.b;
        hdr.i = { hdr.i.y, hdr.i.x };
        hdr.o.r3 = hdr.i.x ++ hdr.i.y;
        tuple<bit<8>, bit<8>> t = { s.a, s.b };
        t = { t[1], t[0] };
        hdr.o.r4 = t[0] ++ t[1];
        triple_t q = { 1, 2, 3 };
        q = { q.c, q.a, q.b };
        hdr.o.r5 = q.a ++ q.b ++ q.c;
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
