// `...` gives an invalid header, `{...}` a valid one of zeros, and partial initialisers a valid one
// filled up with zeros.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; }
header two_t { bit<8> x; bit<16> y; }
header out_t { bit<4> pad; bit<1> va; bit<1> vb; bit<1> vc; bit<1> vd; }

struct headers_t {
    in_t i;
    two_t a;
    two_t b;
    two_t c;
    two_t d;
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
        hdr.d = { 0xff, 0xffff };
        hdr.a = { 0xff, 0xffff };
        two_t none = ...;
        hdr.a = none;
        two_t zeros = { ... };
        hdr.b = zeros;
        hdr.c = { y = (bit<16>)hdr.i.x, ... };
        hdr.d = { hdr.i.x, ... };
        hdr.o.pad = 0;
        hdr.o.va = (bit<1>)hdr.a.isValid();
        hdr.o.vb = (bit<1>)hdr.b.isValid();
        hdr.o.vc = (bit<1>)hdr.c.isValid();
        hdr.o.vd = (bit<1>)hdr.d.isValid();
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
        pkt.emit(hdr.a);
        pkt.emit(hdr.b);
        pkt.emit(hdr.c);
        pkt.emit(hdr.d);
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
