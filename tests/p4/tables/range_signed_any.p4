// Any value matches a signed range key that an entry leaves open.
#include <core.p4>
#include <v1model.p4>

header h_t { int<8> k; bit<8> sel; bit<8> v; bit<8> w; }

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
    table written {
        key = {
            hdr.h.k: range;
            hdr.h.sel: exact;
        }
        actions = { set; }
        default_action = set(0xff);
        const entries = {
            (-8s2 .. 8s2, 1): set(0x11);
            (_, 1): set(0x12);
        }
    }
    table filled {
        key = {
            hdr.h.k: range;
            hdr.h.sel: exact;
        }
        actions = { put; }
        default_action = put(0xff);
    }
    apply {
        sm.egress_spec = 1;
        written.apply();
        filled.apply();
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
