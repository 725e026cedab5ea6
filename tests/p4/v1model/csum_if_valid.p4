// A checksum guarded by isValid(): packets without the header pass untouched.

#include <core.p4>
#include <v1model.p4>

header kind_t {
    bit<8> k;
}

header data_t {
    bit<16> v;
    bit<16> c;
}

header res_t {
    bit<8> err;
}

struct headers_t {
    res_t  res;
    kind_t kind;
    data_t data;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.kind);
        transition select(hdr.kind.k) {
            1: with_data;
            default: accept;
        }
    }
    state with_data {
        pkt.extract(hdr.data);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(hdr.data.isValid(), { hdr.data.v }, hdr.data.c,
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
        update_checksum(hdr.data.isValid(), { hdr.data.v }, hdr.data.c,
                        HashAlgorithm.csum16);
    }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;
