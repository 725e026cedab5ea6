// An exact table: hit with the right action data, miss with the default
// action, all bits of the key compared.
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
    action set(bit<8> v, bit<9> port) {
        hdr.h.r = v;
        smeta.egress_spec = port;
    }
    action miss() {
        hdr.h.r = 0xff;
        smeta.egress_spec = 9;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            set;
            miss;
        }
        default_action = miss();
        size = 16;
    }
    apply {
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
