// The deparser sends valid headers only, then the bytes that were not parsed.

#include <core.p4>
#include <v1model.p4>

header a_t {
    bit<8> a;
}

header b_t {
    bit<16> b;
}

struct headers_t {
    a_t a;
    b_t b;
    a_t c;
}

struct metadata_t { }

parser P(packet_in pkt, out headers_t hdr, inout metadata_t meta,
         inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.a);
        pkt.extract(hdr.b);
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
        if (hdr.a.a == 1) {
            hdr.b.setInvalid();
        } else if (hdr.a.a == 2) {
            hdr.c.setValid();
            hdr.c.a = 0xcc;
            hdr.a.setInvalid();
        }
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
