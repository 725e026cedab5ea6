// largest_priority_wins = false: the smaller number wins, and numbers that are
// not written count upwards by priority_delta.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> r;
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
    table t {
        key = {
            hdr.h.k: ternary;
        }
        actions = {
            set;
        }
        default_action = set(0xff);
        largest_priority_wins = false;
        priority_delta = 10;
        @noWarn("entries_out_of_priority_order")
        entries = {
            priority = 10: 0x10 &&& 0xf0: set(1);
            // Priority 20.
            0x01 &&& 0x0f: set(2);
            priority = 15: 0x21 &&& 0xff: set(3);
            // Priority 25.
            0x00 &&& 0x80: set(4);
            priority = 5: 0x12 &&& 0xff: set(5);
        }
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
