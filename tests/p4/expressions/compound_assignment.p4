// Every compound assignment operator on bit<8> and int<8>.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; bit<8> y; int<8> s; }
header out_t {
    bit<8> add; bit<8> sub; bit<8> mul; bit<8> sadd; bit<8> ssub; bit<8> shl; bit<8> shr;
    bit<8> and_; bit<8> or_; bit<8> xor_; int<8> sshr; int<8> sst; bit<8> prec;
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
        bit<8> y = hdr.i.y;
        hdr.o = { x, x, x, x, x, x, x, x, x, x, hdr.i.s, hdr.i.s, x };
        hdr.o.add += y;
        hdr.o.sub -= y;
        hdr.o.mul *= y;
        hdr.o.sadd |+|= y;
        hdr.o.ssub |-|= y;
        hdr.o.shl <<= 3;
        hdr.o.shr >>= 2;
        hdr.o.and_ &= y;
        hdr.o.or_ |= y;
        hdr.o.xor_ ^= y;
        hdr.o.sshr >>= 2;
        hdr.o.sst |-|= 100;
        hdr.o.prec *= y + 1;
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
