// Removing a header on each way round: the parser reads what the deparser wrote,
// checksum update included, and packet_length follows.

#include <core.p4>
#include <v1model.p4>

header len_t {
    bit<8>  n;
    bit<8>  plen;
    bit<16> c;
}

header label_t {
    bit<8> l;
    bit<8> bos;
}

struct headers_t {
    len_t   len;
    label_t label;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.len);
        transition select(hdr.len.n) {
            0: accept;
            default: one;
        }
    }
    state one {
        pkt.extract(hdr.label);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 2;
        hdr.len.plen = (bit<8>)sm.packet_length;
        if (hdr.label.isValid()) {
            hdr.label.setInvalid();
            hdr.len.n = hdr.len.n - 1;
            sm.egress_spec = 9;
        }
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (sm.egress_port == 9) {
            recirculate_preserving_field_list(0);
        }
    }
}

control C(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(true, { hdr.len.n, hdr.len.plen }, hdr.len.c, HashAlgorithm.csum16);
    }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;
