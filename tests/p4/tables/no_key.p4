// A table without key, or with an empty key, always misses and runs its
// default action, which the control plane can set.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> r;
    bit<8> s;
    bit<8> hit;
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
        actions = {
            set_r;
        }
        default_action = set_r(0x11);
    }
    table u {
        key = { }
        actions = {
            set_s;
            NoAction;
        }
    }
    apply {
        smeta.egress_spec = 1;
        if (t.apply().hit) {
            hdr.h.hit = hdr.h.hit | 1;
        }
        if (!u.apply().miss) {
            hdr.h.hit = hdr.h.hit | 2;
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
