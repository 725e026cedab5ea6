// Removed entries no longer match; the others stay; a removed prefix uncovers
// the shorter one; an entry can be added again with other data.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  k;
    bit<16> dst;
    bit<8>  r;
    bit<8>  s;
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
    action set_r(bit<8> v) {
        hdr.h.r = v;
    }
    action set_s(bit<8> v) {
        hdr.h.s = v;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            set_r;
        }
        default_action = set_r(0xff);
    }
    table routes {
        key = {
            hdr.h.dst: lpm;
        }
        actions = {
            set_s;
        }
        default_action = set_s(0xff);
    }
    apply {
        smeta.egress_spec = 1;
        t.apply();
        routes.apply();
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
