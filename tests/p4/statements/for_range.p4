// for over a range: inclusive bounds, the whole value range, empty and signed ranges, bounds
// evaluated once.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<16> r0; bit<16> r1; bit<8> r2; int<8> r3; bit<16> r4; bit<16> r5; }

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
        hdr.o.r0 = 0;
        for (bit<16> i in 3 .. 5) {
            hdr.o.r0 = (hdr.o.r0 << 4) | i;
        }
        hdr.o.r1 = 0;
        for (bit<8> i in 8w0 .. 8w255) {
            hdr.o.r1 = hdr.o.r1 + 1;
        }
        hdr.o.r2 = 0;
        for (bit<8> i in 8w5 .. 8w3) {
            hdr.o.r2 = 0xff;
        }
        hdr.o.r3 = 0;
        for (int<8> i in -2 .. 2) {
            hdr.o.r3 = hdr.o.r3 + i + 0x10;
        }
        hdr.o.r4 = 0;
        for (bit<8> i in hdr.i.a .. hdr.i.b) {
            hdr.o.r4 = hdr.o.r4 + 1;
        }
        hdr.o.r5 = 0;
        bit<8> lo = hdr.i.a;
        bit<8> hi = hdr.i.b;
        for (bit<8> i in lo .. hi) {
            hdr.o.r5 = hdr.o.r5 + 1;
            lo = lo + 1;
            hi = hi - 1;
        }
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
