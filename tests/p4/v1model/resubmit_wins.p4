// Resubmission comes before drop, multicast and unicast; the clone is made in any
// case, once for each pass that asks for it.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> it;
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
        if (sm.instance_type == 0) {
            resubmit_preserving_field_list(0);
            if (hdr.h.k == 1) {
                mark_to_drop(sm);
            } else if (hdr.h.k == 2) {
                sm.mcast_grp = 1;
            } else if (hdr.h.k == 3) {
                clone(CloneType.I2E, 5);
                sm.egress_spec = 7;
            }
        } else {
            hdr.h.it = (bit<8>)sm.instance_type;
            sm.egress_spec = 2;
        }
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (sm.instance_type == 1) {
            hdr.h.it = 0xc1;
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
