// A packet may be resubmitted more than once; a preserved field counts the
// passes.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> want;
    bit<8> had;
}

struct headers_t {
    h_t h;
}

struct metadata_t {
    @field_list(1)
    bit<8> passes;
}

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.had = hdr.h.had + meta.passes;
        if (meta.passes < hdr.h.want) {
            meta.passes = meta.passes + 1;
            resubmit_preserving_field_list(1);
        }
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
