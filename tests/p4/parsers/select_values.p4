// A select on single values takes the state of the label that equals the key,
// whatever the notation of the literal, and default takes the rest.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.k) {
            8w1: one;
            0x02: two;
            0b11: three;
            0x80: high;
            8w254: last_but_one;
            default: other;
        }
    }
    state one {
        hdr.h.r = 0x11;
        transition accept;
    }
    state two {
        hdr.h.r = 0x22;
        transition accept;
    }
    state three {
        hdr.h.r = 0x33;
        transition accept;
    }
    state high {
        hdr.h.r = 0x88;
        transition accept;
    }
    state last_but_one {
        hdr.h.r = 0xfe;
        transition accept;
    }
    state other {
        hdr.h.r = 0x99;
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
