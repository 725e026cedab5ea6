// Both ends of random() occur: with lo..lo+1, sixty-four draws all alike would be
// a one in 2^63 event.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> n;
    bit<8> both;
}

struct headers_t {
    h_t h;
}

struct metadata_t {
    bit<1> lo_seen;
    bit<1> hi_seen;
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
    action draw() {
        bit<8> r;
        random(r, 8w4, 8w5);
        if (r == 4) {
            meta.lo_seen = 1;
        }
        if (r == 5) {
            meta.hi_seen = 1;
        }
    }

    apply {
        for (bit<8> i in 8w1 .. 8w64) {
            draw();
        }
        hdr.h.both = 6w0 ++ meta.lo_seen ++ meta.hi_seen;
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
