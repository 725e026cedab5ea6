// digest() tells the control plane and changes nothing else.

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

struct learn_t {
    bit<8>  i;
    bit<16> v;
    bit<9>  port;
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
    apply {
        digest<learn_t>(1, { hdr.h.i, hdr.h.v, sm.ingress_port });
        sm.egress_spec = 2;
        if (hdr.h.i == 1) {
            digest(2, { hdr.h.v });
            mark_to_drop(sm);
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
