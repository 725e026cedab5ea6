// #ifdef, #ifndef, #undef and a new definition; a macro defined as 0 or as
// nothing is defined; a definition inside a skipped branch does not count.
#include <core.p4>
#include <v1model.p4>

#define ZERO 0
#define NOTHING
#define GONE 1
#undef GONE
#undef NEVER_DEFINED
#define VALUE 0x11
#ifdef ABSENT
#define SKIPPED 1
#define VALUE 0x22
#endif

header h_t {
    bit<8> a;
    bit<8> b;
    bit<8> c;
    bit<8> d;
    bit<8> e;
    bit<8> f;
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
#ifdef ZERO
        hdr.h.a = 1;
#else
        hdr.h.a = 2;
#endif
#ifndef NOTHING
        hdr.h.b = 1;
#else
        hdr.h.b = 2;
#endif
#ifdef GONE
        hdr.h.c = 1;
#elif defined(NOTHING)
        hdr.h.c = 2;
#endif
#ifndef SKIPPED
        hdr.h.d = VALUE;
#endif
#undef VALUE
#define VALUE 0x33
        hdr.h.e = VALUE;
#undef VALUE
        {
            bit<8> VALUE = 0x44;
            hdr.h.f = VALUE;
        }
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
