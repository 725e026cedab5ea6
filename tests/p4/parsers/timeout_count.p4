// How many states a parser may enter: those before the circle, in it and behind it count alike.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<16> rounds; bit<8> circle; bit<8> tail; }

struct headers_t {
    h_t h;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.circle) {
            0: circle;
            default: before;
        }
    }
    state before {
        transition circle;
    }
    state circle {
        hdr.h.rounds = hdr.h.rounds + 1;
        transition select(hdr.h.rounds) {
            0x101f: tail;
            default: circle;
        }
    }
    state tail {
        hdr.h.tail = 1;
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.h.circle = sm.parser_error == error.ParserTimeout ? 8w0xff : 8w0;
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
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
