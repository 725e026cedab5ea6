// Actions called directly with in, out, inout and directionless arguments, from controls and from
// actions.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> x; bit<8> y; bit<8> z; }
header out_t { bit<8> b; bit<8> c; bit<8> n; bit<8> x; }

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
    action scale(in bit<8> a, out bit<8> b, inout bit<8> c, bit<8> by) {
        b = a * by;
        c = c + by;
    }
    action outer(in bit<8> v) {
        bit<8> c = 0;
        scale(v, hdr.o.n, c, 2);
    }

    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        bit<8> b = 0x99;
        bit<8> z = hdr.i.z;
        scale(hdr.i.x, b, z, hdr.i.y);
        hdr.o.b = b;
        hdr.o.c = z;
        outer(hdr.i.x + 1);
        bit<8> x = hdr.i.x;
        scale(x, x, z, 5);
        hdr.o.x = x;
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
