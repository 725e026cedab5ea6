// @ww_table chooses the block of hardware that holds a table; what the program does is the same
// with any, and engines in software take no notice.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<16> k;
    bit<32> dst;
    bit<8>  few;
    bit<8>  a;
    bit<8>  b;
    bit<8>  c;
    bit<8>  d;
    bit<8>  e;
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
    action set_a(bit<8> v) { hdr.h.a = v; }
    action set_b(bit<8> v) { hdr.h.b = v; }
    action set_c(bit<8> v) { hdr.h.c = v; }
    action set_d(bit<8> v) { hdr.h.d = v; }
    action set_e(bit<8> v) { hdr.h.e = v; }

    @ww_table("hash", ways = 2)
    table by_hash {
        key = { hdr.h.k: exact; }
        actions = { set_a; }
        default_action = set_a(0xff);
        size = 64;
    }

    @ww_table("cam")
    table by_cam {
        key = { hdr.h.k: exact; }
        actions = { set_b; }
        default_action = set_b(0xff);
        size = 64;
    }

    @ww_table("lpm", memory_latency = 2)
    table by_trie {
        key = { hdr.h.dst: lpm; }
        actions = { set_c; }
        default_action = set_c(0xff);
        size = 64;
    }

    @ww_table("ternary")
    table by_masks {
        key = { hdr.h.few: exact; }
        actions = { set_d; }
        default_action = set_d(0xff);
        size = 16;
    }

    // Without the annotation this one would be logic.
    @ww_table("direct")
    table by_index {
        key = { hdr.h.few: exact; }
        actions = { set_e; }
        const default_action = set_e(0xff);
        const entries = {
            1: set_e(0x51);
            2: set_e(0x52);
        }
    }

    apply {
        by_hash.apply();
        by_cam.apply();
        by_trie.apply();
        by_masks.apply();
        by_index.apply();
        smeta.egress_spec = 1;
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

V1Switch(ParserImpl(), VerifyImpl(), IngressImpl(), EgressImpl(),
         ComputeImpl(), DeparserImpl()) main;
