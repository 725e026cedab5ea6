// The data of a hash: fields packed without gaps, nested lists flattened, order
// of the list.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<4>  a;
    bit<12> b;
    bit<8>  c;
    bit<8>  d;
    bit<32> r1;
    bit<32> r2;
    bit<16> r3;
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
        hash(hdr.h.r1, HashAlgorithm.identity, 32w0,
             { hdr.h.a, { hdr.h.b, hdr.h.c }, hdr.h.d }, 64w0x100000000);
        hash(hdr.h.r2, HashAlgorithm.identity, 32w0,
             { hdr.h.d, hdr.h.c, hdr.h.b, hdr.h.a }, 64w0x100000000);
        hash(hdr.h.r3, HashAlgorithm.crc16, 16w0,
             { hdr.h.a, hdr.h.b, hdr.h.c, hdr.h.d }, 32w65536);
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
