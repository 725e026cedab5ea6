// apply().hit and apply().miss in conditions, in a boolean variable and in &&
// and ||, where the second table is applied only when it is needed.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
    bit<8> ra;
    bit<8> rb;
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
    action set_a(bit<8> v) {
        hdr.h.ra = v;
    }
    action set_b(bit<8> v) {
        hdr.h.rb = v;
    }
    table ta {
        key = {
            hdr.h.a: exact;
        }
        actions = {
            set_a;
        }
        default_action = set_a(0xfa);
    }
    table tb {
        key = {
            hdr.h.b: exact;
        }
        actions = {
            set_b;
        }
        default_action = set_b(0xfb);
    }
    table tc {
        key = {
            hdr.h.b: exact;
        }
        actions = {
            set_b;
        }
        default_action = set_b(0xfc);
    }
    apply {
        smeta.egress_spec = 1;
        if (hdr.h.r == 0) {
            // tb runs only after a hit of ta.
            if (ta.apply().hit && tb.apply().hit) {
                hdr.h.r = 1;
            } else {
                hdr.h.r = 2;
            }
        } else {
            // The value is kept: tc is applied once.
            bool missed = tc.apply().miss;
            if (missed || hdr.h.a == 0) {
                hdr.h.r = 3;
            }
            if (!missed) {
                hdr.h.r = hdr.h.r + 0x10;
            }
        }
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
