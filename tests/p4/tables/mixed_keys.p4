// Exact, lpm, ternary, range and optional keys in one table: an entry matches
// when every key does, and the priority alone decides among the matching ones,
// not the prefix length.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8>  e;
    bit<32> l;
    bit<16> t;
    bit<16> g;
    bit<8>  o;
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
    table acl {
        key = {
            hdr.h.e: exact;
            hdr.h.l: lpm;
            hdr.h.t: ternary;
            hdr.h.g: range;
            hdr.h.o: optional;
        }
        actions = {
            set;
        }
        default_action = set(0xff);
    }
    apply {
        smeta.egress_spec = 1;
        acl.apply();
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
