// The blocks run in the order verify, ingress, egress, compute, deparse, each once
// for a packet.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
}

header c_t {
    bit<16> c;
}

struct headers_t {
    h_t h;
    c_t c;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        pkt.extract(hdr.c);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply {
        hdr.h.a = hdr.h.a + 1;
    }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.a = (hdr.h.a << 1);
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.a = hdr.h.a + 1;
        hdr.h.b = hdr.h.a << 1;
    }
}

control C(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(true, { hdr.h.a, hdr.h.b }, hdr.c.c, HashAlgorithm.csum16);
    }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.c);
        pkt.emit(hdr.h);
        pkt.emit(hdr.c);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;
