// egress_port is where the packet goes; it is known in egress only, whatever
// ingress wrote last into egress_spec.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<16> e;
    bit<16> it;
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
        sm.egress_spec = 9;
        sm.egress_spec = (bit<9>)hdr.h.e;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.e = (bit<16>)sm.egress_port + 0x1000;
        hdr.h.it = (bit<16>)sm.instance_type;
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
