// Conditional elements of lists with trailing commas, conditional states and
// cases, and a conditional key.
#include <core.p4>
#include <v1model.p4>

#define SUPPORT_B

enum bit<8> Kind {
#ifdef SUPPORT_A
    A = 1,
#endif
#ifdef SUPPORT_B
    B = 2,
#endif
    C = 3,
}
header h_t {
    Kind   kind;
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
        transition select(hdr.h.kind) {
#ifdef SUPPORT_A
            Kind.A: a;
#endif
#ifdef SUPPORT_B
            Kind.B: b;
#endif
            Kind.C: c;
            default: accept;
        }
    }
#ifdef SUPPORT_B
    state b {
        hdr.h.r = 0x0b;
        transition accept;
    }
#endif
    state c {
        hdr.h.r = 0x0c;
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    action set(bit<8> v) {
        hdr.h.s = v;
    }
    table t {
        key = {
#ifdef SUPPORT_A
            hdr.h.r: exact;
#endif
            hdr.h.kind: exact;
        }
        actions = {
            set;
        }
        default_action = set(0xff);
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
