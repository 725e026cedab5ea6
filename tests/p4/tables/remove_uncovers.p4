// Removing an entry uncovers the entry that it had hidden.
#include <core.p4>
#include <v1model.p4>

header h_t { bit<8> k; bit<8> tern; bit<8> lpm; bit<8> rng; }

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
    action tern(bit<8> v) { hdr.h.tern = v; }
    action lpm(bit<8> v) { hdr.h.lpm = v; }
    action rng(bit<8> v) { hdr.h.rng = v; }
    table by_mask {
        key = { hdr.h.k: ternary; }
        actions = { tern; }
        default_action = tern(0xff);
    }
    table by_prefix {
        key = { hdr.h.k: lpm; }
        actions = { lpm; }
        default_action = lpm(0xff);
    }
    table by_range {
        key = { hdr.h.k: range; }
        actions = { rng; }
        default_action = rng(0xff);
    }
    apply {
        sm.egress_spec = 1;
        by_mask.apply();
        by_prefix.apply();
        by_range.apply();
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
