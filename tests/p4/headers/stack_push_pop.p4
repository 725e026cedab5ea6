// push_front and pop_front on full and partly filled stacks: elements shift, the vacated ones are
// invalid.
#include <core.p4>
#include <v1model.p4>

header in_t { bit<8> n; bit<8> op; }
header elem_t { bit<8> v; }
header out_t { bit<8> valid; }

struct headers_t {
    in_t i;
    elem_t[4] s;
    out_t o;
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
        hdr.o.setValid();
        if (hdr.i.op == 1) {
            hdr.s.push_front(1);
        } else if (hdr.i.op == 2) {
            hdr.s.push_front(3);
        } else if (hdr.i.op == 3) {
            hdr.s.pop_front(1);
        } else if (hdr.i.op == 4) {
            hdr.s.pop_front(3);
        } else if (hdr.i.op == 5) {
            hdr.s.push_front(1);
            hdr.s[0] = { 0xf0 };
        } else if (hdr.i.op == 6) {
            hdr.s.pop_front(1);
            hdr.s.push_front(1);
        } else if (hdr.i.op == 7) {
            hdr.s.push_front(2);
            hdr.s.pop_front(1);
        }
        hdr.o.valid = 0;
        if (hdr.s[0].isValid()) { hdr.o.valid[0:0] = 1; }
        if (hdr.s[1].isValid()) { hdr.o.valid[1:1] = 1; }
        if (hdr.s[2].isValid()) { hdr.o.valid[2:2] = 1; }
        if (hdr.s[3].isValid()) { hdr.o.valid[3:3] = 1; }
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
        pkt.emit(hdr.s);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
