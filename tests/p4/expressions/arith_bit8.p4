// Wrap-around on bit<8>; the result width is that of the operands, whatever the context that
// consumes it.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> sum; bit<8> diff; bit<8> prod; bit<8> neg; bit<16> wide; bit<8> avg; bit<8> k; }

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
        hdr.o.wide = (bit<16>)(hdr.i.a + hdr.i.b);
        hdr.o.avg = (hdr.i.a + hdr.i.b) >> 1;
        hdr.o.k = 200 + hdr.i.a;
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
