// Conditions on constants and constructor parameters: only the chosen branch
// has an effect, in each instance its own.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

const bool FEATURE = false;
const bit<8> LEVEL = 3;

control Variant(inout bit<8> x)(bool fast, bit<4> level) {
    register<bit<8>>(1) r;
    apply {
        if (fast && level > 2) {
            x = 0x10 + (bit<8>)level;
        } else if (level == 0) {
            return;
        } else {
            r.write(0, x);
            x = 0x20 + (bit<8>)level;
        }
        if (FEATURE) {
            exit;
        }
        x = LEVEL == 3 ? x | 0x80 : 0;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    Variant(true, 3) first;
    Variant(true, 2) second;
    Variant(false, 0) third;
    apply {
        smeta.egress_spec = 1;
        first.apply(hdr.h.a);
        second.apply(hdr.h.b);
        if (hdr.h.b == 0xa2) {
            third.apply(hdr.h.b);
        }
        hdr.h.b = hdr.h.b + 1;
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
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
