// The same variable passed twice: every parameter is a separate copy, and copy-out runs from left to
// right.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; bit<8> y; }
header out_t { bit<8> two; bit<8> r; bit<8> io; bit<8> outs; bit<16> swapped; bit<8> p1; bit<8> p2; }
void two(inout bit<8> p, inout bit<8> q) {
    q = q + 2;
    p = p + 1;
}
bit<8> io(out bit<8> o, in bit<8> a) {
    o = 0x77;
    return a;
}
void outs(out bit<8> p, out bit<8> q) {
    q = 2;
    p = 1;
}
void swap(inout bit<8> p, inout bit<8> q) {
    bit<8> t = p;
    p = q;
    q = t;
}
void part(out bit<4> n, out bit<8> v) {
    v = 0x55;
    n = 0xf;
}
void part2(out bit<8> v, out bit<4> n) {
    n = 0x5;
    v = 0xaa;
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
        bit<8> x = hdr.i.x;
        two(x, x);
        hdr.o.two = x;
        x = hdr.i.x;
        hdr.o.r = io(x, x);
        hdr.o.io = x;
        outs(x, x);
        hdr.o.outs = x;
        bit<8> p = hdr.i.x;
        bit<8> q = hdr.i.y;
        swap(p, q);
        hdr.o.swapped = p ++ q;
        bit<8> v = 0;
        part(v[7:4], v);
        hdr.o.p1 = v;
        part2(v, v[7:4]);
        hdr.o.p2 = v;
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
