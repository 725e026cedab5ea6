// Backslash newline is removed before anything else: in macro definitions, in
// directives, inside names and numbers, and at the end of a line comment,
// which it prolongs.
#include <core.p4>
#include <v1model.p4>

#define ADD3(x) \
    x           \
    +           \
    3
#if 1 && \
    0
#error "the condition goes on in the second line"
#endif

header h_t {
    bit<8> a;
    bit<8> b;
    bit<8> c;
    bit<8> d;
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
        hdr.h.a = ADD3(0x10);
        hdr.h.b = 0x2\
2;
        hd\
r.h.c = 0x33;
        hdr.h.d = 0x44;
        // This comment goes on in the next line \
        hdr.h.d = 0x55;
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
