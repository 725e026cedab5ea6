// Text in a branch that is not taken is not looked at: unbalanced brackets,
// lone quotes, unknown directives, #error and #include of a missing file;
// nested conditionals are counted.
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
    apply {
        smeta.egress_spec = 1;
        hdr.h.a = 1;
#if 0
        hdr.h.a = 2; } } ((
        it's a lone quote, and "another
#error not reached
#include "no/such/file.p4"
#unknown directive
#if 1
        hdr.h.a = 3;
#else
        hdr.h.a = 4;
#endif
#ifdef X
#elif 1
#endif
        hdr.h.a = 5;
#else
        hdr.h.b = 6;
#endif
        // #if 0 in a comment is none
        /* neither is
#if 0
        this */
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
