// Casts between bool and bit<1>, and of the int constants 0 and 1 to bool.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; bit<1> f; bit<7> pad; }
header out_t { bit<1> e; bit<1> t; bit<1> n; bit<1> one; bit<1> zero; bit<3> pad; bit<8> w; }
const bool ONE = (bool)1;
const bool ZERO = (bool)0;

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
        bool eq = hdr.i.a == hdr.i.b;
        bool f = (bool)hdr.i.f;
        hdr.o.e = (bit<1>)eq;
        hdr.o.t = f ? 1w1 : 1w0;
        hdr.o.n = (bit<1>)(!f);
        hdr.o.one = (bit<1>)ONE;
        hdr.o.zero = (bit<1>)ZERO;
        hdr.o.pad = 0;
        hdr.o.w = (bit<8>)(bit<1>)eq;
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
