// What hardware does not have: random numbers.

#include <core.p4>
#include <v1model.p4>

struct headers_t {}
struct metadata_t { bit<8> any; }

parser P(packet_in packet, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t standard_metadata) {
    state start { transition accept; }
}

control V(inout headers_t hdr, inout metadata_t meta) { apply {} }

control I(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    apply {
        // Some port or other.
        random(meta.any, 0, 255);
        standard_metadata.egress_spec = (bit<9>) meta.any;
    }
}

control E(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    apply {}
}

control C(inout headers_t hdr, inout metadata_t meta) { apply {} }

control D(packet_out packet, in headers_t hdr) { apply {} }

V1Switch(P(), V(), I(), E(), C(), D()) main;
