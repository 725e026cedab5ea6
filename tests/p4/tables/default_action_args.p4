// A default action with arguments from the text runs at every miss and counts
// as a miss; a hit does not run it.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
    bit<8> s;
    bit<8> hit;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

const bit<8> BASE = 0x40;

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    action two(bit<8> first, bit<8> second) {
        hdr.h.r = first;
        hdr.h.s = second;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            two;
        }
        const default_action = two(BASE + 2, 8w0xee);
    }
    table u {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            two;
        }
        default_action = two(second = 1, first = 2);
    }
    apply {
        smeta.egress_spec = 1;
        if (hdr.h.hit == 0) {
            hdr.h.hit = t.apply().hit ? 8w1 : 8w2;
        } else {
            hdr.h.hit = u.apply().miss ? 8w3 : 8w4;
        }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
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
