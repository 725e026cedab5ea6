// varbit fields: extraction with a length, assignment copies the dynamic width, equality compares
// width and content.
#include <core.p4>
#include <v1model.p4>

header opt_t { bit<8> len; varbit<32> data; }
header out_t { bit<8> r; }

struct headers_t {
    opt_t a;
    opt_t b;
    opt_t c;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        bit<8> n = pkt.lookahead<bit<8>>();
        pkt.extract(hdr.a, (bit<32>)n << 3);
        n = pkt.lookahead<bit<8>>();
        pkt.extract(hdr.b, (bit<32>)n << 3);
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
        opt_t ca;
        opt_t cb;
        ca.setValid();
        ca.len = hdr.a.len;
        ca.data = hdr.a.data;
        cb = hdr.b;
        hdr.o.r = 0;
        if (hdr.a.data == hdr.b.data) { hdr.o.r = hdr.o.r | 1; }
        if (hdr.a.data == ca.data && hdr.a == ca) { hdr.o.r = hdr.o.r | 2; }
        if (hdr.b == cb) { hdr.o.r = hdr.o.r | 4; }
        if (!(ca.data != hdr.b.data)) { hdr.o.r = hdr.o.r | 8; }
        hdr.c = cb;
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
        pkt.emit(hdr.c);
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
