// Registers of unusual widths keep every bit.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<128> a;
    bit<1>   b;
    bit<47>  c;
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
    register<bit<128>>(2) ra;
    register<bit<1>>(2) rb;
    register<bit<47>>(2) rc;

    apply {
        h_t old = hdr.h;
        ra.read(hdr.h.a, 1);
        rb.read(hdr.h.b, 1);
        rc.read(hdr.h.c, 1);
        ra.write(1, old.a);
        rb.write(1, old.b);
        rc.write(1, old.c);
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
