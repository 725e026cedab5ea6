// push_front and pop_front by the stack's size or more leave only invalid elements.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> n; bit<8> op; }
header elem_t { bit<8> v; }

struct headers_t {
    in_t i;
    elem_t g;
    elem_t[3] s;
    elem_t h;
}

struct meta_t {
    bit<8> left;
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        meta.left = hdr.i.n;
        transition loop;
    }
    state loop {
        transition select(meta.left) {
            0: accept;
            default: one;
        }
    }
    state one {
        pkt.extract(hdr.s.next);
        meta.left = meta.left - 1;
        transition loop;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.g = { 0x99 };
        hdr.h = { 0x55 };
        if (hdr.i.op == 1) {
            hdr.s.push_front(3);
        } else if (hdr.i.op == 2) {
            hdr.s.push_front(4);
        } else if (hdr.i.op == 3) {
            hdr.s.pop_front(3);
        } else if (hdr.i.op == 4) {
            hdr.s.pop_front(200);
        }
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
        pkt.emit(hdr.g);
        pkt.emit(hdr.s);
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
