// && and || evaluate their second operand only when it decides the result.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; bit<8> y; }
header out_t { bit<8> and_; bit<8> nand_; bit<8> or_; bit<8> nor_; bit<8> e; bit<8> ne; }
bool count(inout bit<8> n, in bit<8> by, in bool result) {
    n = n + by;
    return result;
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
        bool x = hdr.i.x == 1;
        bool y = hdr.i.y == 1;
        bit<8> n = 0;
        bit<8> k = 0;
        bit<8> l = 0;
        hdr.o.and_ = x && count(n, 1, y) ? 8w1 : 8w0;
        hdr.o.nand_ = n;
        hdr.o.or_ = x || count(k, 1, y) ? 8w1 : 8w0;
        hdr.o.nor_ = k;
        hdr.o.e = x && count(l, 16, y) || count(l, 1, y) ? 8w1 : 8w0;
        hdr.o.ne = l;
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
