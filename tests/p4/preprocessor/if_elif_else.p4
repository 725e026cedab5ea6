// #if with arithmetic, comparisons, logic and defined(), #elif and #else: the
// first true branch and no other; unknown names count as 0.
#include <core.p4>
#include <v1model.p4>

#define VERSION 3
#define ZERO 0
#define WIDE (1 << 4)

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
#if VERSION == 1
        hdr.h.a = 1;
#elif VERSION == 3 && !defined(NO_SUCH)
        hdr.h.a = 2;
#elif VERSION == 3
        hdr.h.a = 3;
#else
        hdr.h.a = 4;
#endif

#if ZERO
        hdr.h.b = 1;
#elif UNKNOWN
        hdr.h.b = 2;
#else
        hdr.h.b = 3;
#endif

#if (VERSION * 2 - 1 >= 5) && (WIDE != 15 || 0) && defined ZERO
        hdr.h.c = 1;
# if VERSION > 3
        hdr.h.c = 2;
# else
        hdr.h.d = 5;
# endif
#else
        hdr.h.c = 3;
#endif

#if 0x10 == 16 && 7 / 2 == 3 && 7 % 4 == 3 && -1 < 0 && ~0 != 0
        hdr.h.e = 1;
#endif

#if VERSION == 3 ? ZERO : 1
        hdr.h.f = 1;
#elif 1 == 1
        hdr.h.f = 2;
#elif 1
        hdr.h.f = 3;
#endif
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
