// Of two entries with equal keys the one written first counts.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> k; bit<8> v; bit<8> w; }

struct headers_t {
    h_t h;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    action set(bit<8> v) { hdr.h.v = v; }
    action put(bit<8> w) { hdr.h.w = w; }
    table exact_t {
        key = { hdr.h.k: exact; }
        actions = { set; }
        default_action = set(0xff);
        const entries = {
            1: set(0x11);
            2: set(0x12);
            1: set(0x13);
        }
    }
    table ternary_t {
        key = { hdr.h.k: ternary; }
        actions = { put; }
        default_action = put(0xff);
        const entries = {
            1 &&& 0xf: put(0x21);
            2 &&& 0xf: put(0x22);
            1 &&& 0xf: put(0x23);
        }
    }
    apply {
        sm.egress_spec = 1;
        exact_t.apply();
        ternary_t.apply();
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
