// Operands with side effects are evaluated from left to right as written; a variable is read when
// its turn comes.
#include <core.p4>
#include <v1model.p4>

struct pair_t { bit<8> a; bit<8> b; }
header in_t { bit<8> n; }
header out_t {
    bit<8> sub; bit<16> cat; bit<16> tac; bit<8> lt; bit<8> sa; bit<8> sb; bit<8> ka; bit<8> kb; bit<8> mix;
    bit<8> fin;
}
bit<8> next(inout bit<8> n) {
    n = n + 1;
    return n;
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
        bit<8> n = hdr.i.n;
        hdr.o.sub = next(n) - next(n);
        hdr.o.cat = n ++ next(n);
        hdr.o.tac = next(n) ++ n;
        hdr.o.lt = next(n) < next(n) ? 8w1 : 8w0;
        pair_t s = { next(n), next(n) };
        hdr.o.sa = s.a;
        hdr.o.sb = s.b;
        pair_t k = { b = next(n), a = next(n) };
        hdr.o.ka = k.a;
        hdr.o.kb = k.b;
        hdr.o.mix = n + next(n) * next(n);
        hdr.o.fin = n;
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
