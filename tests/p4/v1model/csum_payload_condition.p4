// The condition of the two functions with payload.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  verify_it;
    bit<8>  update_it;
    bit<16> c;
}

header res_t {
    bit<8> err;
}

struct headers_t {
    res_t res;
    h_t h;
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
        verify_checksum_with_payload(hdr.h.verify_it == 1, { 16w0 }, hdr.h.c,
                                     HashAlgorithm.csum16);
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
    apply {
        update_checksum_with_payload(hdr.h.update_it == 1, { 16w0 }, hdr.h.c,
                                     HashAlgorithm.csum16);
    }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;
