// Key expressions are evaluated in their order, each into its own temporary;
// action arguments are evaluated after the lookup.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> x;
    bit<8> y;
    bit<8> r;
    bit<8> s;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

bit<8> f1(in bit<8> a, inout bit<8> b) {
    b = a + 5;
    return a >> 1;
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
    action set(in bit<8> now, bit<8> v) {
        hdr.h.r = v;
        hdr.h.s = now;
    }
    table t {
        key = {
            hdr.h.y & 0x7: exact @name("masked_y");
            f1(hdr.h.x, hdr.h.y): exact @name("f1");
            hdr.h.y: exact @name("y");
        }
        actions = {
            set(hdr.h.y);
        }
        default_action = set(hdr.h.y, 0xff);
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
