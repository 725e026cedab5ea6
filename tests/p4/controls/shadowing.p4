// Names of a control hide those of the top level, a leading dot reaches the
// top level, and a block hides both.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
    bit<8> c;
    bit<8> d;
    bit<8> e;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

const bit<8> N = 1;
const bit<8> M = 2;
bit<8> value() {
    return N;
}
action mark(inout bit<8> x) {
    x = 0x10;
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
    const bit<8> N = 0x20;
    // The initialiser of the local constant sees the global one.
    const bit<8> M = .M + 1;
    action mark(inout bit<8> x) {
        x = N;
    }
    table value {
        actions = {
            mark(hdr.h.c);
            .NoAction;
        }
        default_action = mark(hdr.h.c);
    }
    apply {
        smeta.egress_spec = 1;
        hdr.h.a = N + M;
        mark(hdr.h.b);
        value.apply();
        .mark(hdr.h.d);
        {
            bit<8> N = 0x70;
            hdr.h.e = N + .value();
        }
        hdr.h.e = hdr.h.e + N;
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
