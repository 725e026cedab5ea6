// A parser without constructor parameters can be applied by its type name, as
// if it were an instance.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
}
struct headers_t {
    h_t a;
    h_t b;
    h_t c;
}
struct meta_t { }

parser Pair(packet_in p, out h_t first, out h_t second) {
    state start {
        p.extract(first);
        transition select(first.k[7:7]) {
            1: accept;
            0: more;
        }
    }
    state more {
        p.extract(second);
        transition accept;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        Pair.apply(pkt, hdr.a, hdr.b);
        pkt.extract(hdr.c);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        if (hdr.b.isValid()) {
            hdr.b.k = hdr.b.k + 1;
        }
        hdr.c.k = hdr.c.k + 0x10;
        smeta.egress_spec = 1;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
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
