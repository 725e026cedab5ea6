// A slice on the left of an assignment replaces exactly its bits, in unsigned, signed and wide
// values.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> v; bit<65> w; int<8> s; bit<7> pad; }
header out_t { bit<8> a1; bit<8> a2; bit<65> w1; bit<65> w2; int<8> s1; bit<8> all; bit<6> pad; }

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.a1 = hdr.i.a;
        hdr.o.a1[5:2] = hdr.i.v[3:0];
        hdr.o.a2 = hdr.i.a;
        hdr.o.a2[7:7] = 1;
        hdr.o.a2[0:0] = 0;
        hdr.o.w1 = hdr.i.w;
        hdr.o.w1[64:61] = hdr.i.v[3:0];
        hdr.o.w2 = hdr.i.w;
        hdr.o.w2[64:64] = 0;
        int<8> t = hdr.i.s;
        t[7:4] = hdr.i.v[3:0];
        hdr.o.s1 = t >> 4;
        hdr.o.all = hdr.i.a;
        hdr.o.all[7:0] = hdr.i.v;
        hdr.o.pad = 0;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
