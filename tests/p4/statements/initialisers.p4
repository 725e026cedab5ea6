// Declarations with initialisers are executed each time control reaches them, in order.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> n; bit<8> c; bit<8> l; bit<8> f; }

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
    bit<8> n = 0x10;
    action once() {
        bit<8> k = 0x20;
        k = k + 1;
        hdr.o.f = hdr.o.f + k;
    }

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        n = n + 1;
        hdr.o.n = n;
        bit<8> b = hdr.i.a + 1;
        bit<8> c = b * 2;
        hdr.o.c = c;
        hdr.o.l = 0;
        for (bit<8> i in 0 .. 2) {
            bit<8> t = 1;
            t = t + 1;
            hdr.o.l = hdr.o.l + t;
        }
        hdr.o.f = 0;
        once();
        once();
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
