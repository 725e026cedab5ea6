// Masked labels in a select: only the bits of the mask count, on both sides,
// and of several matching labels the first in the text wins.
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
            0x0a &&& 0x0f: low_a;
            0xf0 &&& 0xf0: high_f;
            // Bits of the value outside the mask are ignored: {c | c[1:0] == 3}.
            0xff &&& 0x03: low_3;
            8w0x40 &&& 8w0xc0: quarter;
            _: other;
        }
    }
    state low_a {
        hdr.h.r = 1;
        transition accept;
    }
    state high_f {
        hdr.h.r = 2;
        transition accept;
    }
    state low_3 {
        hdr.h.r = 3;
        transition accept;
    }
    state quarter {
        hdr.h.r = 4;
        transition accept;
    }
    state other {
        hdr.h.r = 5;
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
