// Masks as select labels: only the masked bits of both sides are compared, the first match wins.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; }
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
        transition select(hdr.i.x) {
            0x0A &&& 0x0F: s1;
            0xF3 &&& 0xF0: s2;
            0 &&& 0x81: s3;
            7 &&& 0: s4;
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
