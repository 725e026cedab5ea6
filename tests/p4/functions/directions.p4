// in, out and inout parameters of functions, and the returned value.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; bit<8> z; }
header out_t { bit<8> r; bit<8> y; bit<8> z; bit<8> x; bit<8> r2; bit<8> y2; bit<8> z2; }
bit<8> f(in bit<8> a, out bit<8> b, inout bit<8> c) {
    b = a + c;
    c = c + 1;
    return a << 1;
}

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
        bit<8> x = hdr.i.x;
        bit<8> y = 0x99;
        bit<8> z = hdr.i.z;
        hdr.o.r = f(x, y, z);
        hdr.o.y = y;
        hdr.o.z = z;
        hdr.o.x = x;
        hdr.o.r2 = f(x + 1, y, z);
        hdr.o.y2 = y;
        hdr.o.z2 = z;
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
