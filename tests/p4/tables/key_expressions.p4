// Keys that are expressions: a slice, a sum, a mask, a conditional and a
// function call; each is computed from the values at the time of apply.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
    bit<8> r;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

bit<8> max(in bit<8> x, in bit<8> y) {
    return x > y ? x : y;
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
    action set(bit<8> v) {
        hdr.h.r = v;
    }
    table t {
        key = {
            hdr.h.a[7:4]: exact @name("high");
            hdr.h.a + hdr.h.b: exact @name("sum");
            hdr.h.b & 0x0f: ternary @name("low_b");
            max(hdr.h.a, hdr.h.b): exact @name("max");
            (hdr.h.a == hdr.h.b ? 4w1 : 4w2): exact @name("same");
        }
        actions = {
            set;
        }
        default_action = set(0xff);
    }
    apply {
        smeta.egress_spec = 1;
        // The key sees this assignment.
        hdr.h.b = hdr.h.b + 1;
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
