// Dropping in egress: by mark_to_drop and by writing 511. Another value written
// to egress_spec in egress redirects nothing.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> v;
}

struct headers_t {
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
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (hdr.h.k == 1) {
            mark_to_drop(sm);
        } else if (hdr.h.k == 2) {
            sm.egress_spec = 511;
        } else if (hdr.h.k == 3) {
            sm.egress_spec = 4;
        } else if (hdr.h.k == 4) {
            mark_to_drop(sm);
            sm.egress_spec = 4;
        }
    }
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
