// Generic headers: extraction, stacks and emission at the specialised sizes.
#include <core.p4>
#include <v1model.p4>

header H<T> { bit<8> tag; T v; }

struct headers_t {
    H<bit<8>> a;
    H<bit<24>> b;
    H<bit<16>>[2] c;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.a);
        pkt.extract(hdr.b);
        pkt.extract(hdr.c.next);
        pkt.extract(hdr.c.next);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.a.v = hdr.a.v + 1;
        hdr.b.v = hdr.b.v + 1;
        hdr.c[0].v = hdr.c[0].v + 1;
        hdr.c[1].v = hdr.c[1].v + 1;
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
