// A register declared outside the controls is one register for ingress and
// egress.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  i;
    bit<16> v;
}

struct headers_t {
    h_t h;
}

struct metadata_t { }

register<bit<16>>(1) r;

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
        bit<16> v;
        r.read(v, 0);
        r.write(0, v + 1);
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        bit<16> v;
        r.read(v, 0);
        hdr.h.v = v;
        r.write(0, v + 10);
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
