// update_checksum and verify_checksum with other algorithms than csum16.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<64> d;
    bit<8>  e;
    bit<16> c16;
    bit<32> c32;
    bit<16> x16;
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
        verify_checksum(true, { hdr.h.d, hdr.h.e }, hdr.h.c16, HashAlgorithm.crc16);
        verify_checksum(true, { hdr.h.d, hdr.h.e }, hdr.h.c32, HashAlgorithm.crc32);
        verify_checksum(true, { hdr.h.d }, hdr.h.x16, HashAlgorithm.xor16);
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
        update_checksum(true, { hdr.h.d, hdr.h.e }, hdr.h.c16, HashAlgorithm.crc16);
        update_checksum(true, { hdr.h.d, hdr.h.e }, hdr.h.c32, HashAlgorithm.crc32);
        update_checksum(true, { hdr.h.d }, hdr.h.x16, HashAlgorithm.xor16);
    }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;
