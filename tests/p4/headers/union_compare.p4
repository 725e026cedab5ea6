// Union equality: both invalid, or the same member valid with equal fields; equal bits in different
// members do not count.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> k1; bit<8> v1; bit<8> k2; bit<8> v2; }
header one_t { bit<8> x; }
header other_t { bit<8> x; }
header_union u_t { one_t one; other_t other; }
header out_t { bit<8> r; }
void make(out u_t u, in bit<8> k, in bit<8> v) {
    if (k == 1) {
        u.one = { v };
    } else if (k == 2) {
        u.other = { v };
    }
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
        u_t u;
        u_t v;
        make(u, hdr.i.k1, hdr.i.v1);
        make(v, hdr.i.k2, hdr.i.v2);
        hdr.o.r = 0;
        if (u == v) { hdr.o.r = hdr.o.r | 1; }
        if (u != v) { hdr.o.r = hdr.o.r | 2; }
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
