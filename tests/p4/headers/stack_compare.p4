// Stack expressions and stack equality: element by element with validity, without nextIndex.
#include <core.p4>
#include <v1model.p4>

header elem_t { bit<8> v; }
header out_t { bit<8> size; bit<8> r; }

struct headers_t {
    elem_t[3] p;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.p.next);
        pkt.extract(hdr.p.next);
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
        bit<8> x = hdr.p[1].v;
        elem_t[3] s = { { 1 }, { x }, (elem_t){#} };
        elem_t[3] t = (elem_t[3]){ { 1 }, { x }, ... };
        elem_t[3] u = s;
        u[1].setInvalid();
        elem_t[3] w = u;
        hdr.o.size = (bit<8>)hdr.p.size;
        hdr.o.r = 0;
        if (s == t) { hdr.o.r = hdr.o.r | 1; }
        if (s == u) { hdr.o.r = hdr.o.r | 2; }
        if (w == u) { hdr.o.r = hdr.o.r | 4; }
        u[1] = { x };
        if (u == s) { hdr.o.r = hdr.o.r | 8; }
        if (hdr.p == s) { hdr.o.r = hdr.o.r | 16; }
        if (s != hdr.p) { hdr.o.r = hdr.o.r | 32; }
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
