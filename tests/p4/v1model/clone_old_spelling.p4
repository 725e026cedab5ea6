// clone3, the old name, with a list of fields.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> it;
    bit<8> m;
    bit<8> port;
}

struct headers_t {
    h_t h;
}

struct metadata_t {
    bit<8> m;
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
        hdr.h.a = 0x99;
        clone3(CloneType.I2E, 5, { sm.ingress_port });
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.it = (bit<8>)sm.instance_type;
        hdr.h.port = (bit<8>)sm.egress_port;
        if (sm.instance_type == 0) {
            clone3<tuple<bit<8>>>(CloneType.E2E, 6, { hdr.h.a });
        }
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
