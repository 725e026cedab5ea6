// Variables and constants declared in a state are made anew each time the
// state is entered; variables of the parser keep their value between states.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> n;
    bit<8> inner;
    bit<8> outer;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    bit<8> outer = 1;
    const bit<8> STEP = 7;
    state start {
        pkt.extract(hdr.h);
        transition loop;
    }
    state loop {
        const bit<8> INC = STEP + 1;
        bit<8> inner = 0x20;
        inner = inner + INC;
        outer = outer + INC;
        hdr.h.inner = inner;
        {
            bit<8> inner_block = inner;
            inner_block = inner_block + 1;
            hdr.h.outer = outer + inner_block;
        }
        hdr.h.n = hdr.h.n - 1;
        transition select(hdr.h.n) {
            0: accept;
            default: loop;
        }
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
