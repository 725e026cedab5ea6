// if/else with and without braces, and a switch on a value, inside an action.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
    bit<8> s;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

const bit<8> LIMIT_PLUS = 9;

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
    action classify(bit<8> limit) {
        if (hdr.h.k < limit)
            hdr.h.r = 1;
        else if (hdr.h.k == limit)
            hdr.h.r = 2;
        else {
            hdr.h.r = 3;
        }
        switch (hdr.h.k) {
            5:
            6: {
                hdr.h.s = 0x56;
            }
            LIMIT_PLUS: {
                hdr.h.s = 0x99;
            }
            default: {
                hdr.h.s = hdr.h.r == 3 ? 8w0xd3 : 8w0xd0;
            }
        }
    }
    table t {
        actions = {
            classify;
        }
        default_action = classify(6);
    }
    apply {
        smeta.egress_spec = 1;
        t.apply();
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
