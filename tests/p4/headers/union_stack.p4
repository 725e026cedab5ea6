// A stack of header unions parsed with next, visited by index, and emitted.
#include <core.p4>
#include <v1model.p4>

header one_t { bit<8> kind; }
header two_t { bit<8> kind; bit<16> v; }
header_union opt_t { one_t one; two_t two; }
header out_t { bit<8> count; }

struct headers_t {
    opt_t[3] opts;
    out_t o;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        transition select(pkt.lookahead<bit<8>>()) {
            1: one;
            2: two;
            default: accept;
        }
    }
    state one {
        pkt.extract(hdr.opts.next.one);
        transition start;
    }
    state two {
        pkt.extract(hdr.opts.next.two);
        transition start;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        hdr.o.setValid();
        hdr.o.count = 0;
        for (bit<2> k in 2w0 .. 2w2) {
            if (hdr.opts[k].one.isValid()) {
                hdr.o.count = hdr.o.count + 0x10;
            }
            if (hdr.opts[k].two.isValid()) {
                hdr.o.count = hdr.o.count + 1;
                hdr.opts[k].two.v = hdr.opts[k].two.v + 1;
            }
        }
        if (sm.parser_error == error.StackOutOfBounds) {
            hdr.o.count = hdr.o.count | 0x80;
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
        pkt.emit(hdr.o);
        pkt.emit(hdr.opts);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
