// All arithmetic on one-bit unsigned integers, over all four operand pairs.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<1> a; bit<1> b; bit<6> pad; }
header out_t {
    bit<1> sum;
    bit<1> diff;
    bit<1> prod;
    bit<1> neg;
    bit<1> inv;
    bit<1> pos;
    bit<1> sadd;
    bit<1> ssub;
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
        hdr.o.sum = hdr.i.a + hdr.i.b;
        hdr.o.diff = hdr.i.a - hdr.i.b;
        hdr.o.prod = hdr.i.a * hdr.i.b;
        hdr.o.neg = -hdr.i.a;
        hdr.o.inv = ~hdr.i.a;
        hdr.o.pos = +hdr.i.a;
        hdr.o.sadd = hdr.i.a |+| hdr.i.b;
        hdr.o.ssub = hdr.i.a |-| hdr.i.b;
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
