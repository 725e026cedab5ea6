// A table two controls deep is found by its instance path, and its action
// works on the copy of the control that called.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

control Inner(in bit<8> k, inout bit<8> r) {
    action set(bit<8> v) {
        r = v;
    }
    table t {
        key = {
            k: exact;
        }
        actions = {
            set;
        }
        default_action = set(0xff);
    }
    apply {
        t.apply();
    }
}

control Outer(inout h_t h) {
    Inner() inner;
    apply {
        inner.apply(h.k + 1, h.r);
        h.k = 0xaa;
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
    Outer() outer;
    apply {
        smeta.egress_spec = 1;
        outer.apply(hdr.h);
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
