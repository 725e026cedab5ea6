// What a sub-parser extracted before it rejects is there afterwards.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> k; }

struct headers_t {
    h_t a;
    h_t b;
    h_t c;
}

struct meta_t { bit<8> n; }

parser Sub(packet_in pkt, out h_t h, inout bit<8> n) {
    state start {
        n = 1;
        pkt.extract(h);
        n = 2;
        verify(h.k != 9, error.NoMatch);
        n = 3;
        transition accept;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    Sub() sub;
    state start {
        pkt.extract(hdr.a);
        sub.apply(pkt, hdr.b, meta.n);
        pkt.extract(hdr.c);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.a.k = meta.n;
        if (hdr.b.isValid()) { hdr.b.k = hdr.b.k + 0x10; }
        if (hdr.c.isValid()) { hdr.c.k = hdr.c.k + 0x20; }
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
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
