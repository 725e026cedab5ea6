// A select on several keys: every component must be in its own set (value,
// mask, range, don't care), labels are tried from top to bottom.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  a;
    bit<16> b;
    bit<8>  r;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.a, hdr.h.b) {
            (1, 2): both;
            (1, _): only_a;
            (_, 0x0500 .. 0x09ff): b_range;
            (0x10 &&& 0xf0, default): a_mask;
            (2, 1): swapped;
            default: other;
        }
    }
    state both {
        hdr.h.r = 1;
        transition accept;
    }
    state only_a {
        hdr.h.r = 2;
        transition accept;
    }
    state b_range {
        hdr.h.r = 3;
        transition accept;
    }
    state a_mask {
        hdr.h.r = 4;
        transition accept;
    }
    state swapped {
        hdr.h.r = 5;
        transition accept;
    }
    state other {
        hdr.h.r = 6;
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
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
