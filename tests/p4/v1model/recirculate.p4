// The recirculated packet is what the deparser made, starts at the parser with
// instance_type 4 and its metadata at zero.

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
        if (sm.instance_type == 4) {
            hdr.h.it = (bit<8>)sm.instance_type;
            hdr.h.m = meta.m;
            sm.egress_spec = 2;
        } else {
            hdr.h.a = hdr.h.a + 1;
            meta.m = 0x77;
            sm.egress_spec = 9;
        }
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (sm.egress_port == 9) {
            hdr.h.a = hdr.h.a + 0x10;
            recirculate_preserving_field_list(0);
        } else {
            hdr.h.n = (bit<8>)sm.instance_type;
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
