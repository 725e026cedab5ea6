// A CRC reduced by a max that is no power of two, as load balancers do.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<72> d;
    bit<16> r;
    bit<16> s;
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
        hash(hdr.h.r, HashAlgorithm.crc16, 16w1000, { hdr.h.d }, 16w7);
        hash(hdr.h.s, HashAlgorithm.crc32, 16w0, { hdr.h.d }, 32w1000);
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
