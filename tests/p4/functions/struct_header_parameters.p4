// Structs and headers as parameters: copies with in, fields and validity carried back with inout.
#include <core.p4>
#include <v1model.p4>

struct pair_t { bit<8> a; bit<8> b; }
header in_t { bit<8> x; bit<8> y; }
header one_t { bit<8> v; }
header out_t { bit<16> p0; bit<16> p1; bit<8> r; }
bit<8> by_copy(in pair_t p) {
    pair_t own = p;
    own.a = own.a + own.b;
    return own.a;
}
void by_ref(inout pair_t p) {
    p.b = 0x99;
}
void drop(inout one_t h) {
    h.setInvalid();
}
void insert(inout one_t h) {
    h.setValid();
    h.v = 0x77;
}

struct headers_t {
    in_t i;
    one_t h1;
    one_t h2;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        pkt.extract(hdr.h1);
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
        pair_t p = { hdr.i.x, hdr.i.y };
        hdr.o.r = by_copy(p);
        hdr.o.p0 = p.a ++ p.b;
        by_ref(p);
        hdr.o.p1 = p.a ++ p.b;
        drop(hdr.h1);
        insert(hdr.h2);
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
        pkt.emit(hdr.h1);
        pkt.emit(hdr.h2);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
