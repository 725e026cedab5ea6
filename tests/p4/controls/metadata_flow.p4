// User metadata starts as zero for each packet and flows from parser through
// ingress to egress.
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
struct inner_t {
    bit<8> n;
    bool   flag;
}
struct meta_t {
    inner_t inner;
    bit<8>  m;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.k) {
            1: set;
            default: accept;
        }
    }
    state set {
        meta.inner = { n = 0x40, flag = true };
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        smeta.egress_spec = 1;
        meta.m = meta.inner.n + 1;
        if (hdr.h.k == 2) {
            meta.inner.flag = true;
        }
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    apply {
        hdr.h.r = meta.m;
        hdr.h.s = meta.inner.flag ? 8w1 : 8w0;
        meta.m = 0x99;
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
