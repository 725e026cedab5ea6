// Packets of kind 1 count by one, packets of kind 2 by five, others not at all: a module with a
// state, called on two branches that exclude each other.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  kind;
    bit<32> number;
    bit<8>  odd;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

@ww_module("packet_number", latency = 3)
extern bit<32> packet_number(in bit<8> step, out bool odd);

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply {
        bool odd = false;
        if (hdr.h.kind == 1) {
            hdr.h.number = packet_number(1, odd);
        } else if (hdr.h.kind == 2) {
            hdr.h.number = packet_number(5, odd);
        }
        hdr.h.odd = odd ? 8w1 : 8w0;
        smeta.egress_spec = 1;
    }
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
