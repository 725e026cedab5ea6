// Entries with `_` for an exact key beside a prefix: the longest prefix wins all the same.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> k; bit<16> dst; bit<8> v; }

struct headers_t {
    h_t h;
}

struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t sm) {
    state start {
        pkt.extract(hdr.h);
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    action set(bit<8> v) { hdr.h.v = v; }
    table t {
        key = {
            hdr.h.k: exact;
            hdr.h.dst: lpm;
        }
        actions = { set; }
        default_action = set(0xff);
        const entries = {
            (_, 0x1200 &&& 0xff00): set(0x11);
            (_, 0x1230 &&& 0xfff0): set(0x12);
            (_, 0x1000 &&& 0xf000): set(0x13);
        }
    }
    apply {
        sm.egress_spec = 1;
        t.apply();
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
        pkt.emit(hdr.h);
    }
}

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(), ComputeImpl(),
         DeparserImpl()) main;
