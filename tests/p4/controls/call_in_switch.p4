// Sub-controls and tables applied inside the branches of an action_run switch.
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

control Set(inout bit<8> x)(bit<8> base) {
    action plus(bit<8> v) {
        x = base + v;
    }
    table t {
        key = {
            x: exact;
        }
        actions = {
            plus;
        }
        default_action = plus(0x0f);
    }
    apply {
        t.apply();
    }
}

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
    Set(0x10) low;
    Set(0x80) high;
    action go_low() {
        hdr.h.r = 1;
    }
    action go_high() {
        hdr.h.r = 1;
    }
    action both() {
        hdr.h.r = 2;
    }
    table branch {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            go_low;
            go_high;
            both;
            NoAction;
        }
        default_action = NoAction();
        const entries = {
            1: go_low();
            2: go_high();
            3: both();
        }
    }
    apply {
        smeta.egress_spec = 1;
        switch (branch.apply().action_run) {
            go_low: {
                low.apply(hdr.h.r);
            }
            go_high: {
                high.apply(hdr.h.r);
            }
            both: {
                low.apply(hdr.h.r);
                high.apply(hdr.h.s);
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
