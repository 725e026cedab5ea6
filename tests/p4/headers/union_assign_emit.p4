// Union assignment copies the valid member or the invalidity; emit writes the one valid member.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> kind; }
header one_t { bit<8> x; }
header two_t { bit<16> x; }
header_union u_t { one_t one; two_t two; }

struct headers_t {
    in_t i;
    u_t u;
    u_t v;
    u_t w;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        transition select(hdr.i.kind) {
            1: one;
            2: two;
            default: accept;
        }
    }
    state one {
        pkt.extract(hdr.u.one);
        transition accept;
    }
    state two {
        pkt.extract(hdr.u.two);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.w.two = { 0xdead };
        hdr.v = hdr.u;
        if (hdr.u.one.isValid()) {
            hdr.u.two = { 0xbeef };
        } else {
            hdr.u.one = { 0x77 };
        }
        hdr.w = hdr.v;
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
        pkt.emit(hdr.u);
        pkt.emit(hdr.v);
        pkt.emit(hdr.w);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
