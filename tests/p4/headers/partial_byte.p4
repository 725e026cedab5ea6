// Headers need not end at a byte: the payload follows bit by bit.
#include <core.p4>
#include <v1model.p4>

header tag_t { bit<4> t; }
header h_t { bit<12> x; }

struct headers_t {
    tag_t tag;
    h_t h;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.tag);
        transition select(hdr.tag.t) {
            1: more;
            default: accept;
        }
    }
    state more {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (hdr.tag.t == 2) { hdr.tag.t = 0xf; }
        if (hdr.tag.t == 3) {
            hdr.h.setValid();
            hdr.h.x = 0x123;
        }
        if (hdr.tag.t == 4) { hdr.tag.setInvalid(); }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.tag);
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
