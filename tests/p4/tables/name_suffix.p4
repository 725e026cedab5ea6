// A table is named by a suffix of whole components: "acl" is not "pre_acl",
// and of two actions the one of the table is meant.
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
    action preset(bit<8> v) {
        hdr.h.r = v;
    }
    action set(bit<8> v) {
        hdr.h.s = v;
    }
    table pre_acl {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            preset;
        }
        default_action = preset(0xf0);
    }
    table acl {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            preset;
            set;
        }
        default_action = set(0xf1);
    }
    apply {
        smeta.egress_spec = 1;
        pre_acl.apply();
        acl.apply();
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
