// Actions call other actions with their own parameters; results come back
// through inout and out, level by level.
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
    action add(inout bit<8> x, bit<8> n) {
        x = x + n;
    }
    action add_twice(inout bit<8> x, bit<8> n) {
        add(x, n);
        // The caller's field is not written yet.
        hdr.h.s = hdr.h.r;
        add(x, n + 1);
    }
    action run(bit<8> n) {
        add_twice(hdr.h.r, n);
        NoAction();
        hdr.h.r = hdr.h.r << 1;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            run;
        }
        default_action = run(0);
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
