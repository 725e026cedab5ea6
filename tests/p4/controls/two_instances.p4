// Two instances of one control have separate tables and default actions; a
// second call of the same instance uses the same ones.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> a;
    bit<8> b;
    bit<8> c;
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
    Lookup() left;
    Lookup() right;
    apply {
        smeta.egress_spec = 1;
        left.apply(hdr.h.k, hdr.h.a);
        right.apply(hdr.h.k, hdr.h.b);
        if (hdr.h.c == 1) {
            left.apply(hdr.h.k + 1, hdr.h.c);
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
