// A parser that never ends is ended with error.ParserTimeout.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> k; bit<8> v; }
header more_t { bit<8> x; }

struct headers_t {
    h_t h;
    more_t more;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.k) {
            1: circle;
            default: tail;
        }
    }
    state circle {
        transition circle;
    }
    state tail {
        pkt.extract(hdr.more);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.h.v = 0;
        if (sm.parser_error == error.ParserTimeout) { hdr.h.v = 1; }
        if (sm.parser_error == error.NoError) { hdr.h.v = 2; }
        if (hdr.more.isValid()) { hdr.h.v = hdr.h.v | 0x10; }
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
        pkt.emit(hdr.h);
        pkt.emit(hdr.more);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
