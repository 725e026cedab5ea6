// What hardware does not have: a CRC over the payload.

#include <core.p4>
#include <v1model.p4>

struct headers_t {}
struct metadata_t { bit<16> sum; }

parser P(packet_in packet, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t standard_metadata) {
    state start { transition accept; }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply {
        // Sums of words can be taken apart behind the parser; a CRC cannot.
        verify_checksum_with_payload(true, { 8w0 }, meta.sum, HashAlgorithm.crc16);
    }
}

control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 1;
    }
}

control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    apply {}
}

control C(inout headers_t hdr, inout metadata_t meta) { apply {} }

control D(packet_out packet, in headers_t hdr) { apply {} }

V1Switch(P(), V(), I(), E(), C(), D()) main;
