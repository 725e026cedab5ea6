// The payload of a checksum is what the parser left alone; a parsed header that
// is not listed does not count, removed or not.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  drop_tag;
    bit<8>  pad;
    bit<16> c;
}

header tag_t {
    bit<16> t;
}

struct headers_t {
    h_t   h;
    tag_t tag;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        pkt.extract(hdr.tag);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (hdr.h.drop_tag == 1) {
            hdr.tag.setInvalid();
        }
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply { }
}

control C(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum_with_payload(true, { 16w0x0001 }, hdr.h.c, HashAlgorithm.csum16);
    }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;
