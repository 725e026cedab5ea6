// Fields of stack elements and metadata as keys, named as they are written in
// the program.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> x;
}
header r_t {
    bit<8> r;
}
struct inner_t {
    bit<8> sum;
}
struct headers_t {
    r_t    r;
    h_t[3] s;
}
struct meta_t {
    inner_t inner;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.r);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    action set(bit<8> v) {
        hdr.r.r = v;
    }
    table t {
        key = {
            hdr.s[1].x: exact;
            meta.inner.sum: exact;
        }
        actions = {
            set;
        }
        default_action = set(0xff);
    }
    apply {
        smeta.egress_spec = 1;
        meta.inner.sum = hdr.s[0].x + hdr.s[2].x;
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
        pkt.emit(hdr.r);
        pkt.emit(hdr.s);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
