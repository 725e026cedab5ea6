// A parser writes fields of invalid headers, then makes the headers valid or extracts them.
#include <core.p4>
#include <v1model.p4>

header two_t { bit<8> x; bit<8> y; }

struct headers_t {
    two_t i;
    two_t made;
    two_t extracted;
    two_t variable;
    two_t[2] counted;
}

struct meta_t { }

parser Sub(packet_in pkt, inout two_t h) {
    state start {
        h.x = 0x41;
        h.setValid();
        h.y = 0x42;
        transition accept;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    Sub() sub;
    state start {
        pkt.extract(hdr.i);
        hdr.made.x = 0x21;
        hdr.made.setValid();
        hdr.made.y = hdr.made.x + 0x22;
        hdr.extracted.x = 0x31;
        sub.apply(pkt, hdr.variable);
        transition select(hdr.i.x) {
            1: more;
            2: stack;
            default: accept;
        }
    }
    state more {
        pkt.extract(hdr.extracted);
        transition accept;
    }
    state stack {
        hdr.counted.next.y = 0x52;
        pkt.extract(hdr.counted.next);
        hdr.counted[1].x = 0x53;
        hdr.counted[1].setValid();
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        if (!hdr.extracted.isValid()) {
            hdr.extracted.setValid();
            hdr.extracted.y = 0x32;
        }
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
        pkt.emit(hdr);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
