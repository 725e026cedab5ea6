// Assigning a stack copies elements, their validity and nextIndex.
#include <core.p4>
#include <v1model.p4>

header elem_t { bit<8> v; }
header out_t { bit<8> ti; bit<8> si; }

struct headers_t {
    elem_t[4] s;
    elem_t[4] t;
    elem_t[4] u;
    out_t o;
}

struct meta_t {
    bit<8> ti;
    bit<8> si;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
        hdr.t = hdr.s;
        pkt.extract(hdr.t.next);
        meta.ti = (bit<8>)hdr.t.lastIndex;
        meta.si = (bit<8>)hdr.s.lastIndex;
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
        hdr.o.ti = meta.ti;
        hdr.o.si = meta.si;
        hdr.t[0].v = 0xff;
        hdr.u[3] = { 0x77 };
        hdr.u = hdr.t;
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
        pkt.emit(hdr.u);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
