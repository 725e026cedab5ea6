// Multicast comes before unicast and before the drop port; mark_to_drop leaves
// the group, unless the group is chosen after it.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> g;
    bit<8> it;
    bit<8> rid;
    bit<8> port;
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
        if (hdr.h.g == 1) {
            sm.mcast_grp = 1;
            sm.egress_spec = 7;
        } else if (hdr.h.g == 2) {
            sm.mcast_grp = 1;
            sm.egress_spec = 511;
        } else if (hdr.h.g == 3) {
            sm.mcast_grp = 1;
            mark_to_drop(sm);
        } else if (hdr.h.g == 4) {
            mark_to_drop(sm);
            sm.mcast_grp = 1;
        } else {
            sm.mcast_grp = 1;
            sm.mcast_grp = 0;
            sm.egress_spec = 7;
        }
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.it = (bit<8>)sm.instance_type;
        hdr.h.rid = (bit<8>)sm.egress_rid;
        hdr.h.port = (bit<8>)sm.egress_port;
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
