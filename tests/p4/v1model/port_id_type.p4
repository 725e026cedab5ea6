// From V1MODEL_VERSION 20200408 on ports have the type PortId_t.

#define V1MODEL_VERSION 20200415
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> v;
}

struct headers_t {
    h_t h;
}

struct metadata_t { }

const bool known = static_assert(V1MODEL_VERSION >= 20200408, "PortId_t needed");
const PortId_t OUT = 5;

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
        PortId_t p = sm.ingress_port;
        hdr.h.v = (bit<8>)p;
        sm.egress_spec = OUT;
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
