// A drop in egress comes before recirculation; the egress clone is made in any
// case.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> it;
    bit<8> m;
    bit<8> n;
}

struct headers_t {
    h_t h;
}

struct metadata_t {
    bit<8> m;
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
        sm.egress_spec = 2;
        if (sm.instance_type == 4) {
            hdr.h.it = 0x44;
        }
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (sm.instance_type == 0 && hdr.h.it != 0x44) {
            recirculate_preserving_field_list(0);
            if (hdr.h.a == 1) {
                mark_to_drop(sm);
            } else if (hdr.h.a == 2) {
                clone(CloneType.E2E, 5);
            }
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
