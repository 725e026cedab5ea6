// A valid header of zeros and an invalid header are different.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> x; bit<8> y; }
header out_t { bit<8> r; }

struct headers_t {
    h_t a;
    h_t b;
    h_t c;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.a);
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
        hdr.o.r = 0;
        if (hdr.a == hdr.b) { hdr.o.r[0:0] = 1; }
        if (hdr.b == hdr.a) { hdr.o.r[1:1] = 1; }
        if (hdr.a != hdr.b) { hdr.o.r[2:2] = 1; }
        if (hdr.b == hdr.c) { hdr.o.r[3:3] = 1; }
        hdr.b.setValid();
        if (hdr.a == hdr.b) { hdr.o.r[4:4] = 1; }
        if (hdr.c == hdr.b) { hdr.o.r[5:5] = 1; }
        hdr.a.setInvalid();
        if (hdr.a == hdr.b) { hdr.o.r[6:6] = 1; }
        if (hdr.a == hdr.c) { hdr.o.r[7:7] = 1; }
        hdr.b.setInvalid();
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
