// Timestamps do not run backwards; a packet alone in the switch finds its queue
// empty.

#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> order;
    bit<8> empty;
}

struct headers_t {
    h_t h;
}

struct metadata_t {
    bit<48> t;
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
        meta.t = sm.ingress_global_timestamp;
        sm.egress_spec = 2;
    }
}

control E(inout headers_t hdr, inout metadata_t meta,
          inout standard_metadata_t sm) {
    apply {
        hdr.h.order = 0;
        if (sm.egress_global_timestamp >= sm.ingress_global_timestamp
            && sm.ingress_global_timestamp == meta.t) {
            hdr.h.order = 1;
        }
        hdr.h.empty = 0;
        if (sm.enq_qdepth == 0 && sm.deq_qdepth == 0) {
            hdr.h.empty = 1;
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
