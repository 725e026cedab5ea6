// ingress_port in the parser, in ingress and in egress.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<16> p;
    bit<16> i;
    bit<16> e;
}

struct headers_t {
    h_t h;
}

struct metadata_t {
    bit<16> p;
}

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        meta.p = (bit<16>)sm.ingress_port;
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.p = meta.p;
        hdr.h.i = (bit<16>)sm.ingress_port;
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.e = (bit<16>)sm.ingress_port;
    }
}

control C(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;
