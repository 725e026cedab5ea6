// Action data is bound to parameters by name, not by the order in the entry;
// several parameters of different widths.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  k;
    bit<8>  a;
    bit<16> b;
    bit<8>  c;
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
    action set(bit<8> a, bit<16> b, bit<8> c) {
        hdr.h.a = a;
        hdr.h.b = b;
        hdr.h.c = c;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            set;
        }
        default_action = set(c = 1, a = 2, b = 3);
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
