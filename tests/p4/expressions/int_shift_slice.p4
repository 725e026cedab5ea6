// Shifts, slices and comparisons of compile-time int values, negative ones included.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; }
header out_t { int<8> a; int<8> b; int<8> c; bit<8> d; bit<8> e; bit<8> f; bit<8> g; bit<8> h; bit<8> k; bit<8> lt; }
const int N5 = -5;
const int HEX = 0x1234;
const int N1 = -1;
const int N256 = -256;
const int FIVE = 5;
const int N2 = -2;
const bool C1 = N1 < 0;
const bool C2 = (1 << 70) > (1 << 69);
const bool C3 = N5 < -4;

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
        hdr.o.a = N5 >> 1;
        hdr.o.b = N1 >> 100;
        hdr.o.c = -3 << 2;
        hdr.o.d = (1 << 100) >> 98;
        hdr.o.e = HEX[11:4];
        hdr.o.f = N1[15:8];
        hdr.o.g = N256[11:4];
        hdr.o.h = FIVE[79:72];
        hdr.o.k = N2[87:80];
        hdr.o.lt = 5w0 ++ (bit<1>)C1 ++ (bit<1>)C2 ++ (bit<1>)C3;
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
