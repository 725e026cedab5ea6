// switch on action_run: the block of the action that ran, hit or miss alike;
// labels without a block fall through to the next block; default takes every
// other action; without default nothing may run.
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
    action a1() {
        hdr.h.r = 0x10;
    }
    action a2() {
        hdr.h.r = 0x20;
    }
    action a3() {
        hdr.h.r = 0x30;
    }
    action a4() {
        hdr.h.r = 0x40;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            a1;
            a2;
            a3;
            a4;
        }
        default_action = a4();
    }
    table u {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            a1;
            a2;
            a4;
        }
        default_action = a1();
    }
    apply {
        smeta.egress_spec = 1;
        if (hdr.h.s == 0) {
            switch (t.apply().action_run) {
                a1:
                a2: {
                    hdr.h.s = 1;
                    hdr.h.r = hdr.h.r + 1;
                }
                a3: {
                    hdr.h.s = 2;
                }
                default: {
                    hdr.h.s = 3;
                }
            }
        } else {
            switch (u.apply().action_run) {
                a1: {
                    hdr.h.s = 4;
                }
                a2: {
                }
            }
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
