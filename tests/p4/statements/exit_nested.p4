// exit leaves the action, the control and all its callers, with every copy-out; the egress control
// still runs.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> a; bit<8> b; }
header out_t { bit<8> r0; bit<8> r1; bit<8> r2; }
control Inner(inout bit<8> v, in bit<8> k) {
    action stop(inout bit<8> n) {
        n = n + 0x40;
        if (k == 1) {
            exit;
        }
        n = n + 0x01;
    }
    apply {
        v = v + 0x20;
        stop(v);
        v = v + 0x02;
    }
}
control Outer(inout bit<8> v, in bit<8> k) {
    Inner() inner;
    apply {
        v = v + 0x10;
        inner.apply(v, k);
        v = v + 0x04;
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
    Outer() outer;

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.r0 = hdr.i.a;
        hdr.o.r1 = 0;
        outer.apply(hdr.o.r0, hdr.i.a);
        hdr.o.r1 = 0xaa;
        sm.egress_spec = 2;
    }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        hdr.o.r2 = 0xee;
    }
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
