// minSizeInBits, minSizeInBytes, maxSizeInBits and maxSizeInBytes on values and type names.
#include <core.p4>
#include <v1model.p4>

enum bit<8> Kind { A = 1 }
struct vec_t { bit<8> x; bit<8> y; }
header in_t { bit<8> x; }
header big_t { bit<4> v; bool f; int<3> s; Kind kind; vec_t vec; }
header var_t { bit<8> n; varbit<24> data; }
header out_t {
    bit<8> r0; bit<8> r1; bit<8> r2; bit<8> r3; bit<8> r4; bit<8> r5; bit<8> r6; bit<8> r7; bit<8> r8;
    bit<8> r9; bit<8> ra;
}
struct odd_t { bit<9> v; }
struct pack_t { odd_t o; bit<8> p; bool q; }
typedef bit<17> W17;

struct headers_t {
    in_t i;
    big_t big;
    var_t v;
    big_t[3] st;
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
        odd_t odd = { 1 };
        pack_t pack = { odd, 2, true };
        hdr.o.r0 = (bit<8>)hdr.big.minSizeInBits();
        hdr.o.r1 = (bit<8>)hdr.big.maxSizeInBytes();
        hdr.o.r2 = (bit<8>)odd.maxSizeInBits();
        hdr.o.r3 = (bit<8>)odd.minSizeInBytes();
        hdr.o.r4 = (bit<8>)hdr.v.minSizeInBits();
        hdr.o.r5 = (bit<8>)hdr.v.maxSizeInBits();
        hdr.o.r6 = (bit<8>)hdr.v.maxSizeInBytes();
        hdr.o.r7 = (bit<8>)hdr.st.maxSizeInBits();
        hdr.o.r8 = (bit<8>)W17.minSizeInBytes();
        hdr.o.r9 = (bit<8>)hdr.big.kind.minSizeInBits();
        hdr.o.ra = (bit<8>)pack.maxSizeInBytes();
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
