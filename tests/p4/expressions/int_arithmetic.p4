// Compile-time arithmetic on arbitrary-precision int: division, modulo and big intermediates without
// loss.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; }
header out_t { bit<64> q; bit<32> r; bit<8> lost; bit<8> d1; bit<8> m1; bit<8> d2; bit<8> prod; bit<8> neg; bit<8> mix; bit<8> low; }
// 3 to the powers 5, 25, 50, 100 and 200
const int P5 = 3 * 3 * 3 * 3 * 3;
const int P25 = P5 * P5 * P5 * P5 * P5;
const int P50 = P25 * P25;
const int P100 = P50 * P50;
const int BIG = P100 * P100;
const int HUGE = 1 << 260;

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
        hdr.o.q = (bit<64>)(BIG / HUGE);
        hdr.o.r = BIG % 1000003;
        hdr.o.lost = ((1 << 64) + 5) - (1 << 64);
        hdr.o.d1 = 7 / 2;
        hdr.o.m1 = 7 % 3;
        hdr.o.d2 = (1 << 70) / (1 << 67);
        hdr.o.prod = ((1 << 40) * (1 << 40)) >> 76;
        hdr.o.neg = (bit<8>)(3 - 5);
        hdr.o.mix = (10 - 3 * 2) * (1 << 5) / 3;
        hdr.o.low = (bit<8>)BIG;
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
