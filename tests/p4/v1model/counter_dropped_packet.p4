// A packet that ingress drops has been counted; egress never sees it.

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
    counter(1, CounterType.packets) seen;

    apply {
        seen.count(0);
        sm.egress_spec = 2;
        if (hdr.h.i == 1) {
            mark_to_drop(sm);
        }
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    counter(1, CounterType.packets) left;

    apply {
        left.count(0);
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
