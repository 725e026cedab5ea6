// exit in a sub-control, two levels down, ends the whole ingress; the inout
// parameters of all callers are copied out; egress and deparser still run.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> inner;
    bit<8> outer;
    bit<8> after;
    bit<8> egress;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

control Inner(in bit<8> k, inout bit<8> x) {
    apply {
        x = 0x11;
        if (k == 1) {
            exit;
        }
        x = 0x12;
    }
}

control Outer(inout h_t h) {
    Inner() inner;
    apply {
        h.outer = 0x21;
        inner.apply(h.k, h.inner);
        h.outer = 0x22;
        if (h.k == 2) {
            exit;
        }
        h.outer = 0x23;
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
        hdr.h.after = 0x31;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    apply {
        hdr.h.egress = 0xe0;
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
