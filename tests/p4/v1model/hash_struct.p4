// The data of a hash as a struct and as a header.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  a;
    bit<16> b;
    bit<8>  c;
}

header r_t {
    bit<32> r1;
    bit<32> r2;
}

struct key_t {
    bit<16> x;
    bit<8>  y;
}

struct headers_t {
    h_t h;
    r_t r;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        pkt.extract(hdr.r);
        transition accept;
    }
}

control V(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control I(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        key_t key = { hdr.h.b, hdr.h.c };
        hash(hdr.r.r1, HashAlgorithm.identity, 32w0, key, 64w0x100000000);
        hash(hdr.r.r2, HashAlgorithm.crc32, 32w0, hdr.h, 64w0x100000000);
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
