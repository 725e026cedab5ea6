// Longest-prefix match on 128 bits: /0, /48, /64, /127 and /128, with bits
// beyond 64 counting.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<128> dst;
    bit<8>   r;
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
    table routes {
        key = {
            hdr.h.dst: lpm;
        }
        actions = {
            set;
            NoAction;
        }
    }
    apply {
        smeta.egress_spec = 1;
        routes.apply();
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
