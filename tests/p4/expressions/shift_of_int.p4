// An `int` shifted by what only an instance knows: by a parameter of the constructor, which is known at compile time. The
// result is an `int` of any size until it becomes a `bit<16>`.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<16> a;
    bit<16> b;
    bit<16> c;
    bit<16> d;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

control Shifts(inout headers_t hdr)(bit<4> few, int many) {
    apply {
        hdr.h.a = 0x123 << few;
        hdr.h.b = (bit<16>)(0x30000 >> (bit<8>)few);
        hdr.h.c = (bit<16>)((1 << many) - 1);
        hdr.h.d = (bit<16>)(-0x30000 >> few);
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
    Shifts(2, 12) small;
    Shifts(5, 2000000000) large;
    apply {
        smeta.egress_spec = 1;
        if (hdr.h.a == 0) {
            small.apply(hdr);
        } else {
            large.apply(hdr);
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
