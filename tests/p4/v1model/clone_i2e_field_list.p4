// clone_preserving_field_list keeps the user metadata of that list and no other.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> sel;
    bit<8> it;
    bit<8> m1;
    bit<8> m2;
    bit<8> m12;
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
    @field_list(1, 2)
    bit<8> m12;
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
        meta.m1 = 0x11;
        meta.m2 = 0x22;
        meta.m12 = 0x12;
        meta.m0 = 0x44;
        if (hdr.h.sel == 1) {
            clone_preserving_field_list(CloneType.I2E, 5, 1);
        } else if (hdr.h.sel == 2) {
            clone_preserving_field_list(CloneType.I2E, 5, 2);
        } else {
            clone(CloneType.I2E, 5);
        }
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.it = (bit<8>)sm.instance_type;
        hdr.h.m1 = meta.m1;
        hdr.h.m2 = meta.m2;
        hdr.h.m12 = meta.m12;
        hdr.h.m0 = meta.m0;
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
