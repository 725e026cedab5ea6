// A multicast copy can be recirculated; it comes back as an ordinary packet with
// instance_type 4.

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
        if (sm.instance_type == 4) {
            hdr.h.it = 4;
            hdr.h.rid = (bit<8>)sm.egress_rid;
            sm.egress_spec = 6;
        } else {
            sm.mcast_grp = 1;
        }
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (sm.egress_port == 3) {
            hdr.h.g = 0x33;
            recirculate_preserving_field_list(0);
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
