// Unsigned order: values with the top bit set are the large ones, at 8 and 128 bits.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; bit<128> c; bit<128> d; }
header out_t { bit<1> lt; bit<1> le; bit<1> gt; bit<1> ge; bit<1> eq; bit<1> ne; bit<1> wlt; bit<1> weq; }

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
        hdr.o.lt = (bit<1>)(hdr.i.a < hdr.i.b);
        hdr.o.le = (bit<1>)(hdr.i.a <= hdr.i.b);
        hdr.o.gt = (bit<1>)(hdr.i.a > hdr.i.b);
        hdr.o.ge = (bit<1>)(hdr.i.a >= hdr.i.b);
        hdr.o.eq = (bit<1>)(hdr.i.a == hdr.i.b);
        hdr.o.ne = (bit<1>)(hdr.i.a != hdr.i.b);
        hdr.o.wlt = (bit<1>)(hdr.i.c < hdr.i.d);
        hdr.o.weq = (bit<1>)(hdr.i.c == hdr.i.d);
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
