// Conditions and sub-controls in the deparser: what is emitted, and in which
// order, is decided there; emit with explicit type arguments.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
}
struct headers_t {
    h_t h;
    h_t a;
    h_t b;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        pkt.extract(hdr.a);
        pkt.extract(hdr.b);
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

control EmitPair(packet_out p, in h_t first, in h_t second) {
    apply {
        p.emit<h_t>(first);
        p.emit(second);
    }
}

control DeparserImpl(packet_out pkt, in headers_t hdr) {
    EmitPair() pair;
    apply {
        pkt.emit<h_t>(hdr.h);
        if (hdr.h.k == 0) {
            pair.apply(pkt, hdr.a, hdr.b);
        } else if (hdr.h.k == 1) {
            pair.apply(pkt, hdr.b, hdr.a);
        } else if (hdr.h.k == 2) {
            return;
        }
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
