// The clone passes the parser again: egress sees the headers of the packet as it
// came in, valid or not as they were.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> seen;
}

header t_t {
    bit<8> t;
}

struct headers_t {
    h_t h;
    t_t t;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.k) {
            1: tag;
            default: accept;
        }
    }
    state tag {
        pkt.extract(hdr.t);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        if (hdr.t.isValid()) {
            hdr.t.setInvalid();
        } else {
            hdr.t.setValid();
            hdr.t.t = 0xaa;
        }
        clone(CloneType.I2E, 5);
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.seen = 0;
        if (hdr.t.isValid()) {
            hdr.h.seen = hdr.t.t;
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
