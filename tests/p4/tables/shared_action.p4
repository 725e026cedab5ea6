// One action in two tables: the entries and their data are separate.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
    bit<8> s;
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
    action shift_in(bit<8> v) {
        hdr.h.s = hdr.h.r;
        hdr.h.r = v;
    }
    table first {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            shift_in;
        }
        default_action = shift_in(0xf1);
    }
    table second {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            shift_in;
        }
        default_action = shift_in(0xf2);
    }
    apply {
        smeta.egress_spec = 1;
        first.apply();
        second.apply();
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
