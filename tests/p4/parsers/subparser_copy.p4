// A sub-parser gets its arguments by copy-in/copy-out: an "in" copy does not
// follow the inout parameter, the extracted header comes back valid, and the
// calling state goes on behind the call.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> x;
    bit<8> seen;
}
header opt_t {
    bit<8> v;
}
struct headers_t {
    h_t   h;
    opt_t o1;
    opt_t o2;
}
struct meta_t { }

parser Option(packet_in p, out opt_t opt, inout bit<8> total, in bit<8> before) {
    state start {
        p.extract(opt);
        total = total + opt.v;
        transition select(opt.v) {
            0: accept;
            _: add;
        }
    }
    state add {
        // "before" is a copy: it still holds the value from the call.
        total = total + before;
        transition accept;
    }
}

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    Option() option;
    state start {
        pkt.extract(hdr.h);
        option.apply(pkt, hdr.o1, hdr.h.x, hdr.h.x);
        hdr.h.seen = hdr.h.x;
        option.apply(pkt, hdr.o2, hdr.h.x, hdr.h.seen);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply { smeta.egress_spec = 1; }
}

control EgressImpl(inout headers_t hdr, inout meta_t meta,
                   inout standard_metadata_t smeta) {
    apply { }
}

control ComputeImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    apply {
        pkt.emit(hdr.h);
        pkt.emit(hdr.o1);
        pkt.emit(hdr.o2);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
