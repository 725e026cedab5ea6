// Ranges as select labels: inclusive at both ends, ordered by the type's sign, empty when reversed.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; int<8> y; }
header out_t { bit<8> k; }

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t {
    bit<8> k;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        transition select(hdr.i.x, hdr.i.y) {
            (16 .. 31, _): s1;
            (20 .. 10, _): s2;
            (0x80 .. 0xff, -3 .. 2): s3;
            (_, -128 .. -100): s4;
            default: s5;
        }
    }
    state s1 {
        meta.k = 1;
        transition accept;
    }
    state s2 {
        meta.k = 2;
        transition accept;
    }
    state s3 {
        meta.k = 3;
        transition accept;
    }
    state s4 {
        meta.k = 4;
        transition accept;
    }
    state s5 {
        meta.k = 5;
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
        hdr.o.k = meta.k;
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
        pkt.emit(hdr.i);
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
