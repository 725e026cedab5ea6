// recirculate(data), the old name, with a struct and with an empty list.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> it;
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
            hdr.h.it = hdr.h.it + 4;
        } else {
            sm.egress_spec = 9;
        }
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (sm.egress_port == 9) {
            hdr.h.it = hdr.h.it + 0x10;
            if (hdr.h.k == 1) {
                recirculate(meta);
            } else {
                recirculate({ });
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
