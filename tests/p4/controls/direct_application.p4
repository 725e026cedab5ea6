// A control without constructor parameters applied by its type name; its table
// is found under the name of the type.
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

control Mark(inout h_t h, in bit<8> base) {
    action set(bit<8> v) {
        h.r = base + v;
    }
    table t {
        key = {
            h.k: exact;
        }
        actions = {
            set;
        }
        default_action = set(1);
    }
    apply {
        t.apply();
    }
}

control Twice(inout bit<8> x) {
    apply {
        x = x + x;
    }
}

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
    apply {
        smeta.egress_spec = 1;
        Mark.apply(hdr.h, 0x40);
        // Without controllable parts, more than one direct application is legal.
        Twice.apply(hdr.h.k);
        Twice.apply(hdr.h.k);
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
