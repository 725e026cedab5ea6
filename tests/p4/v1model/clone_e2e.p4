// A clone from egress to egress carries the packet as egress leaves it, and
// passes egress once more with instance_type 2.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> it;
    bit<8> m;
    bit<8> port;
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
        hdr.h.a = hdr.h.a + 1;
        meta.m = 0x77;
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (sm.instance_type == 0) {
            hdr.h.a = hdr.h.a + 0x10;
            hdr.h.it = 0xe0;
            clone(CloneType.E2E, 5);
            hdr.h.port = 0xe1;
        } else {
            hdr.h.m = meta.m;
            hdr.h.it = hdr.h.it + (bit<8>)sm.instance_type;
            hdr.h.a = hdr.h.a + 0x20;
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
