// Macros with arguments: arguments are substituted as token sequences, commas
// inside parentheses do not separate, the name without parentheses is no call,
// and calls nest.
#include <core.p4>
#include <v1model.p4>

#define DOUBLE(x) ((x) + (x))
#define RAW(x) x * 2
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define FIELD(name, width) bit<width> name
#define SET(dst, value) \
    dst = value;        \
    smeta.egress_spec = 1
#define NOTHING() 0x66
#define CALL(f, x) f(x)
#define plain(x) x + 100

header h_t {
    FIELD(a, 8);
    FIELD(b, 8);
    FIELD(c, 8);
    FIELD(d, 8);
    FIELD(e, 8);
    FIELD(plain, 8);
}
struct headers_t {
    h_t h;
}
struct meta_t { }

bit<8> minus(in bit<8> x, in bit<8> y) {
    return x - y;
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
    apply {
        hdr.h.b = RAW(hdr.h.a + 1);
        hdr.h.c = DOUBLE(MAX(hdr.h.a, 3));
        hdr.h.d = CALL(DOUBLE, minus(hdr.h.a, 1));
        hdr.h.e = NOTHING();
        hdr.h.plain = plain (hdr.h.a);
        SET(hdr.h.a, DOUBLE(DOUBLE(hdr.h.a)));
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
