// Header assignment copies the validity bit in both directions, alone and inside structs.
#include <core.p4>
#include <v1model.p4>

header two_t { bit<8> x; bit<8> y; }
header out_t { bit<4> first; bit<4> second; }
struct pair_t { two_t first; two_t second; }

struct headers_t {
    two_t a;
    two_t b;
    two_t c;
    two_t d;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.a);
        pkt.extract(hdr.b);
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
        hdr.b = hdr.c;
        hdr.d = hdr.a;
        hdr.c = hdr.d;
        hdr.a.x = 0xaa;
        pair_t p;
        p.first = hdr.c;
        p.second = hdr.b;
        pair_t q = p;
        hdr.o.first = q.first.isValid() ? 4w1 : 4w0;
        hdr.o.second = q.second.isValid() ? 4w1 : 4w0;
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
        pkt.emit(hdr.d);
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
