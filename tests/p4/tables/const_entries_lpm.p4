// const entries of an lpm table: the longest prefix wins, not the first in the
// text.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<16> k;
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
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    action set(bit<8> v) {
        hdr.h.r = v;
    }
    table t {
        key = {
            hdr.h.k: lpm;
        }
        actions = {
            set;
        }
        const default_action = set(0xff);
        const entries = {
            0x1000 &&& 0xf000: set(4);
            0x1200 &&& 0xff00: set(8);
            0x1234: set(16);
            0x1230 &&& 0xfff0: set(12);
            0x8000 &&& 0x8000: set(1);
        }
    }
    apply {
        smeta.egress_spec = 1;
        t.apply();
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
