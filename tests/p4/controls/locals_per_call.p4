// Variables of a control are initialised again at each call and for each
// packet, in the order of their declaration, from the parameters of the call.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
    bit<8> c;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

control Sum(in bit<8> x, inout bit<8> r) {
    bit<8> first = x + 1;
    bit<8> second = first << 1;
    h_t tmp;
    action bump() {
        second = second + 1;
    }
    apply {
        if (tmp.isValid()) {
            r = 0xff;
        } else {
            bump();
            first = 0x77;
            tmp.setValid();
            r = second;
        }
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
    Sum() sum;
    apply {
        smeta.egress_spec = 1;
        sum.apply(hdr.h.a, hdr.h.b);
        sum.apply(hdr.h.b, hdr.h.c);
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
