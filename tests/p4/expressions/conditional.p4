// The conditional operator evaluates one branch only, nests to the right, and may yield structs.
#include <core.p4>
#include <v1model.p4>

struct pair_t { bit<8> lo; bit<8> hi; }
header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> max; bit<8> sgn; bit<8> calls; bit<8> val; bit<8> st; }
bit<8> bump(inout bit<8> n, in bit<8> by, in bit<8> result) {
    n = n + by;
    return result;
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
        hdr.o.max = hdr.i.a > hdr.i.b ? hdr.i.a : hdr.i.b;
        hdr.o.sgn = hdr.i.a < hdr.i.b ? 8w1 : hdr.i.a > hdr.i.b ? 8w2 : 8w0;
        bit<8> n = 0;
        hdr.o.val = hdr.i.a < hdr.i.b ? bump(n, 1, 11) : bump(n, 16, 22);
        hdr.o.calls = n;
        pair_t ab = { hdr.i.a, hdr.i.b };
        pair_t ba = { hdr.i.b, hdr.i.a };
        pair_t p = hdr.i.a < hdr.i.b ? ab : ba;
        hdr.o.st = p.lo;
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
