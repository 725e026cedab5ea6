// Fields that are no multiple of a byte are packed tightly, first field in the
// highest bits.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<4>  a;
    bit<12> b;
    bit<3>  c;
    bit<13> d;
    bit<16> sum;
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
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply { }
}

control C(inout headers_t hdr, inout metadata_t meta) {
    apply {
        // b, a, d, c on purpose: the order of the list counts, not that of the header
        update_checksum(true, { hdr.h.b, hdr.h.a, hdr.h.d, hdr.h.c }, hdr.h.sum,
                        HashAlgorithm.csum16);
    }
}

control D(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr);
    }
}

V1Switch(P(), V(), I(), E(), C(), D()) main;
