// Fields are taken from the wire most significant bit first, also across byte
// borders; signed and boolean fields included; emit writes the same bits back.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<3>  a;
    bit<13> b;
    int<5>  c;
    bool    d;
    bit<10> e;
}
header r_t {
    bit<8>  a;
    bit<16> b;
    int<8>  c;
    bit<8>  d;
    bit<16> e;
}
struct headers_t {
    h_t h;
    r_t r;
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
    apply {
        hdr.r.setValid();
        hdr.r.a = (bit<8>)hdr.h.a;
        hdr.r.b = (bit<16>)hdr.h.b;
        hdr.r.c = (int<8>)hdr.h.c;
        hdr.r.d = hdr.h.d ? 8w1 : 8w0;
        hdr.r.e = (bit<16>)hdr.h.e;
        smeta.egress_spec = 1;
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
        pkt.emit(hdr.r);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
