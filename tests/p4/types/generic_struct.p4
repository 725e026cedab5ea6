// Generic structs, nested and specialised to several widths.
#include <core.p4>
#include <v1model.p4>

struct S<T> { T v; bool ok; }
struct G<A, B> { S<A> a; S<B> b; }
typedef G<bit<8>, bit<16>> g_t;
const S<bit<8>> K = { v = 7, ok = true };
header in_t { bit<8> x; bit<16> y; }
header out_t { bit<8> a; bit<16> b; bit<8> k; bit<8> ok; }

struct headers_t {
    in_t i;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
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
        g_t g = { { hdr.i.x, true }, { hdr.i.y, false } };
        S<bit<16>> s = g.b;
        hdr.o.a = g.a.v + 1;
        hdr.o.b = s.v + 1;
        hdr.o.k = K.v;
        hdr.o.ok = K.ok && g.a.ok && !g.b.ok ? 8w1 : 8w0;
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
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
