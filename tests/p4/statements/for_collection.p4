// for over a header stack and over a list: every element once, in order, the collection evaluated
// once.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header elem_t { bit<8> v; }
header out_t { bit<8> acc; bit<8> n; bit<16> l; }

struct headers_t {
    in_t i;
    elem_t[3] s;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
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
        hdr.o = { 0, 0, 0 };
        for (elem_t e in hdr.s) {
            hdr.o.n = hdr.o.n + 1;
            if (e.isValid()) {
                hdr.o.acc = (hdr.o.acc << 4) | (e.v & 0xf);
            }
        }
        bit<16> a = (bit<16>)hdr.i.a;
        for (bit<16> v in (list<bit<16>>){ 7, a, 9 }) {
            hdr.o.l = (hdr.o.l << 4) | v;
            a = 0xf;
        }
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
