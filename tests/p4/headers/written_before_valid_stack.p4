// Elements of stacks and members of unions are written while they are invalid, then made valid.
#include <core.p4>
#include <v1model.p4>

header two_t { bit<8> x; bit<8> y; }
header one_t { bit<8> x; }
header_union either_t { two_t two; one_t one; }

struct headers_t {
    two_t i;
    two_t[3] s;
    either_t u;
    either_t w;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.i);
        pkt.extract(hdr.s.next);
        pkt.extract(hdr.u.one);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;

        // At an index that is known, and at one that is not.
        hdr.s[2].x = 0x21;
        hdr.s[2].setValid();
        hdr.s[2].y = 0x22;
        bit<8> n = hdr.i.x;
        hdr.s[n].x = 0x31;
        hdr.s[n].setValid();
        hdr.s[n].y = hdr.s[n].y | 1;

        // Writing to the invalid member leaves the valid one as it is.
        hdr.u.two.x = 0x41;
        if (hdr.i.y == 1) { hdr.u.two.setValid(); }
        hdr.w.one.x = 0x51;
        hdr.w.two.x = 0x52;
        hdr.w.two.y = 0x53;
        hdr.w.one.setValid();

        if (hdr.i.y == 2) {
            hdr.s.push_front(1);
            hdr.s[0].x = 0x61;
            hdr.s[0].setValid();
        }
        if (hdr.i.y == 3) {
            hdr.s.pop_front(1);
            hdr.s[2].y = 0x71;
            hdr.s[2].setValid();
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
        pkt.emit(hdr);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
