// mark_to_drop writes 511 into egress_spec and 0 into mcast_grp.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<16> spec;
    bit<16> grp;
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
        sm.mcast_grp = 7;
        sm.egress_spec = 5;
        mark_to_drop(sm);
        hdr.h.spec = (bit<16>)sm.egress_spec;
        hdr.h.grp = sm.mcast_grp;
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
