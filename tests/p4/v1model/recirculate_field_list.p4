// Metadata of the field list survives a recirculation with its final egress
// value.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> m1;
    bit<8> m2;
    bit<8> m0;
}

struct headers_t {
    h_t h;
}

struct metadata_t {
    @field_list(1)
    bit<8> m1;
    @field_list(2)
    bit<8> m2;
    bit<8> m0;
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
            hdr.h.m1 = meta.m1;
            hdr.h.m2 = meta.m2;
            hdr.h.m0 = meta.m0;
        } else {
            meta.m1 = 0x10;
            meta.m2 = 0x20;
            meta.m0 = 0x40;
            sm.egress_spec = 9;
        }
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (sm.egress_port == 9) {
            recirculate_preserving_field_list(1);
            meta.m1 = meta.m1 + 1;
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
