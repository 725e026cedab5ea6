// Arguments with side effects run in the order of the call text, also when named; inout values are
// saved before later arguments.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; }
header out_t { bit<24> r0; bit<8> r1; bit<24> r2; }
bit<8> next(inout bit<8> n) {
    n = n + 1;
    return n;
}
bit<24> cat3(in bit<8> a, in bit<8> b, in bit<8> c) {
    return a ++ b ++ c;
}
void addto(inout bit<8> p, in bit<8> q) {
    p = p + q;
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
        bit<8> n = hdr.i.a;
        hdr.o.r0 = cat3(next(n), next(n), next(n));
        addto(n, next(n));
        hdr.o.r1 = n;
        hdr.o.r2 = cat3(c = next(n), a = next(n), b = next(n));
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
