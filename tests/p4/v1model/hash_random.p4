// HashAlgorithm.random: any value, but inside base .. base + max - 1.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<16> d;
    bit<8>  in_range;
    bit<16> one;
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
        bit<16> r;
        hash(r, HashAlgorithm.random, 16w100, { hdr.h.d }, 16w5);
        hdr.h.in_range = 0;
        if (r >= 100 && r <= 104) {
            hdr.h.in_range = 1;
        }
        hash(hdr.h.one, HashAlgorithm.random, 16w42, { hdr.h.d }, 16w1);
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
