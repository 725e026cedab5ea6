// A constant bound to a directional parameter in the list of actions, and one
// action bound to different fields in two tables.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> a;
    bit<8> b;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

const bit<8> TEN = 10;

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
    action store(in bit<8> amount, inout bit<8> target) {
        target = target + amount;
    }
    table ta {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            store(5, hdr.h.a);
            NoAction;
        }
    }
    table tb {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            store(TEN + hdr.h.a, hdr.h.b);
            NoAction;
        }
        default_action = NoAction;
    }
    apply {
        smeta.egress_spec = 1;
        ta.apply();
        tb.apply();
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
