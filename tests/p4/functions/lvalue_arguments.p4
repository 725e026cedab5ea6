// Slices and nested fields as out and inout arguments, discarded results, and the don't-care
// argument.
#include <core.p4>
#include <v1model.p4>

struct inner_t { bit<8> a; bit<8> b; }
struct outer_t { inner_t inner; }
header in_t { bit<8> v; }
header out_t { bit<8> v; bit<16> s; bit<8> n; bit<8> d; }
void inc(inout bit<4> n) {
    n = n + 1;
}
void set(out bit<8> v) {
    v = 0x5e;
}
bit<8> bump(inout bit<8> n) {
    n = n + 1;
    return 0xff;
}
bit<8> divmod8(in bit<8> v, out bit<8> rest) {
    rest = v & 7;
    return v >> 3;
}

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
        bit<8> v = hdr.i.v;
        inc(v[5:2]);
        hdr.o.v = v;
        outer_t s = { { hdr.i.v, 0 } };
        set(s.inner.b);
        hdr.o.s = s.inner.a ++ s.inner.b;
        bit<8> n = 0;
        bump(n);
        hdr.o.n = n;
        // 0x6f >> 3 = 0x0d
        hdr.o.d = divmod8(0x6f, _);
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
