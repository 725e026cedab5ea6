// return, exit and a break inside a switch leave loops at once.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header elem_t { bit<8> v; }
header out_t { bit<8> r0; bit<8> r1; bit<8> r2; bit<8> r3; }
bit<8> find(in elem_t[4] s, in bit<8> wanted) {
    for (bit<8> outer in 0 .. 1) {
        for (bit<8> k in 0 .. 3) {
            if (s[k].v == wanted) {
                return k;
            }
        }
    }
    return 0xff;
}

struct headers_t {
    in_t i;
    elem_t[4] s;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        pkt.extract(hdr.s.next);
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
        hdr.o = { 0, 0, 0, 0 };
        hdr.o.r0 = find(hdr.s, hdr.i.a);
        for (bit<8> i = 0; i < 9; i = i + 1) {
            switch (i) {
                2: { break; }
                default: { hdr.o.r3 = hdr.o.r3 + 1; }
            }
        }
        for (bit<8> i = 0; i < 4; i = i + 1) {
            if (i == 2 && hdr.i.b == 1) {
                exit;
            }
            hdr.o.r1 = hdr.o.r1 + 1;
        }
        hdr.o.r2 = 0xaa;
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
