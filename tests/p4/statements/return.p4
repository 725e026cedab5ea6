// return ends the enclosing control or action only, after its copy-out.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> r0; bit<8> r1; bit<8> r2; }
control Sub(inout bit<8> v, in bit<8> k) {
    apply {
        v = v + 0x10;
        if (k == 1) {
            return;
        }
        v = v + 0x20;
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
    Sub() sub;
    action early() {
        hdr.o.r2 = 1;
        if (hdr.i.a == 1) {
            return;
        }
        hdr.o.r2 = 2;
    }

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.r1 = 0;
        bit<8> v = hdr.i.a;
        sub.apply(v, hdr.i.a);
        hdr.o.r0 = v;
        early();
        if (hdr.i.a == 2) {
            return;
        }
        hdr.o.r1 = 0xaa;
        sm.egress_spec = 2;
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
