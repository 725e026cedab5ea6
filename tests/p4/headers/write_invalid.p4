// Writing fields of an invalid header neither makes it valid nor changes anything else.
#include <core.p4>
#include <v1model.p4>

header two_t { bit<8> x; bit<8> y; }
header out_t { bit<8> r; }

struct headers_t {
    two_t a;
    two_t b;
    two_t c;
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
        hdr.b.x = 0xbb;
        hdr.b.y[3:0] = 0xb;
        hdr.c.x = 0x77;
        hdr.c.setValid();
        hdr.c.x = 0x0c;
        hdr.c.y = 0x0d;
        hdr.o.r = 0;
        if (hdr.b.isValid()) { hdr.o.r[1:1] = 1; }
        if (hdr.c.isValid()) { hdr.o.r[0:0] = 1; }
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
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
