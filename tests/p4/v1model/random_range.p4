// random() stays inside lo..hi, both included, constant or from the packet.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> lo;
    bit<8> hi;
    bit<8> inside;
    bit<8> inside_const;
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
        bit<8> r;
        bit<48> wide;
        random(r, hdr.h.lo, hdr.h.hi);
        hdr.h.inside = 0;
        if (r >= hdr.h.lo && r <= hdr.h.hi) {
            hdr.h.inside = 1;
        }
        random<bit<48>>(wide, 48w0xfffffffffff0, 48w0xffffffffffff);
        hdr.h.inside_const = 0;
        if (wide >= 0xfffffffffff0) {
            hdr.h.inside_const = 1;
        }
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply { }
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
