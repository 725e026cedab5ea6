// truncate in egress counts the bytes that are sent: headers added before the
// cut are inside.

#include <core.p4>
#include <v1model.p4>

header pre_t {
    bit<16> p;
}

header h_t {
    bit<8> n;
    bit<8> v;
}

struct headers_t {
    pre_t pre;
    h_t   h;
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
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        truncate((bit<32>)hdr.h.n);
        hdr.pre.setValid();
        hdr.pre.p = 0xabcd;
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
