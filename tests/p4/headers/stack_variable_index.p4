// Stack elements by a run-time index: field read and write, whole-header copy, inout argument,
// setInvalid.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> idx; bit<8> kill; }
header elem_t { bit<8> v; }
header out_t { bit<8> old; }
void inc(inout elem_t e) {
    e.v = e.v + 1;
}

struct headers_t {
    in_t i;
    elem_t[4] s;
    elem_t t;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
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
        hdr.o.old = hdr.s[hdr.i.idx].v;
        hdr.s[hdr.i.idx].v = 0xf0 + hdr.i.idx;
        inc(hdr.s[hdr.i.idx]);
        hdr.t = hdr.s[hdr.i.idx];
        hdr.s[hdr.i.kill].setInvalid();
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
        pkt.emit(hdr.s);
        pkt.emit(hdr.t);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
