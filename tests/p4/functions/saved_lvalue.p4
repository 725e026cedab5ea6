// The l-value of an out or inout argument is fixed before later arguments and copy-outs change its
// index.
#include <core.p4>
#include <v1model.p4>

header elem_t { bit<8> v; }
header out_t { bit<8> i; }
bit<8> step(inout bit<8> i) {
    i = i + 1;
    return 0x90 + i;
}
void set(inout bit<8> p, in bit<8> q) {
    p = p + q;
}
void put(out bit<8> p, out bit<8> i) {
    p = 0x77;
    i = 2;
}
void idx(out bit<8> i, out bit<8> p) {
    i = 0;
    p = 0x66;
}

struct headers_t {
    elem_t[3] s;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.s.next);
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
        bit<8> i = 0;
        set(hdr.s[i].v, step(i));
        put(hdr.s[i].v, i);
        idx(i, hdr.s[i].v);
        hdr.o.i = i;
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
        pkt.emit(hdr.s);
        pkt.emit(hdr.o);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
