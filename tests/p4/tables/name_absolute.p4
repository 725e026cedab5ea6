// A leading dot in @name makes the name a global one.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> k; bit<8> v; bit<8> w; }

struct headers_t {
    h_t h;
}

struct meta_t { }

control Sub(inout h_t h) {
    action set(bit<8> v) { h.w = v; }
    table t {
        key = { h.k: exact @name("k"); }
        actions = { set; }
        default_action = set(0xff);
    }
    apply { t.apply(); }
}

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
    @name(".set") action outer_set(bit<8> v) { hdr.h.v = v; }
    @name(".t") table outer_t {
        key = { hdr.h.k: exact @name("k"); }
        actions = { outer_set; }
        default_action = outer_set(0xff);
    }
    Sub() sub;
    apply {
        sm.egress_spec = 1;
        outer_t.apply();
        sub.apply(hdr.h);
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
