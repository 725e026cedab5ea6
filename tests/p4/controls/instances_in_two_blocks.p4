// One control type instantiated in ingress and in egress has two tables, named
// after the block that holds the instance.
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

control Lookup(in bit<8> k, inout bit<8> r) {
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
    Lookup() lookup;
    apply {
        smeta.egress_spec = 1;
        lookup.apply(hdr.h.k, hdr.h.r);
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    Lookup() lookup;
    apply {
        lookup.apply(hdr.h.k, hdr.h.s);
    }
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
