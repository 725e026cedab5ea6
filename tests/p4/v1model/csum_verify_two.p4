// Two verify_checksum calls: one difference is enough, and a later match does
// not take the error back.

#include <core.p4>
#include <v1model.p4>

header two_t {
    bit<16> a;
    bit<16> ca;
    bit<16> b;
    bit<16> cb;
}

header res_t {
    bit<8> err;
}

struct headers_t {
    res_t res;
    two_t h;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(true, { hdr.h.a }, hdr.h.ca, HashAlgorithm.csum16);
        verify_checksum(true, { hdr.h.b }, hdr.h.cb, HashAlgorithm.csum16);
    }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.res.setValid();
        hdr.res.err = (bit<8>)sm.checksum_error;
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply { }
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
