// Mutable entries with priority=: the larger number wins by default, whatever
// the order of the text; an entry without a number gets the one before minus
// one; entries added at run time are ranked among them.
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
        @noWarn("entries_out_of_priority_order")
        entries = {
            priority = 10: 0x10 &&& 0xf0: set(1);
            // Priority 9.
            0x00 &&& 0x80: set(2);
            priority = (10 + 20): 0x11 &&& 0xff: set(3);
            const priority = 20: 0x01 &&& 0x0f: set(4);
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
