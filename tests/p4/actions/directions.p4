// Direct calls of an action with in, out, inout and directionless parameters;
// the directionless one takes a run-time value here and behaves like "in".
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> a;
    bit<8> b;
    bit<8> c;
    bit<8> d;
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
    action mix(in bit<8> i, out bit<8> o, inout bit<8> io, bit<8> data) {
        // None of the fields changes before the end of the call.
        io = io + i;
        o = hdr.h.c;
        io = io + data;
    }
    apply {
        smeta.egress_spec = 1;
        mix(hdr.h.a, hdr.h.b, hdr.h.c, hdr.h.d + 1);
        // By name, in another order; constants for "in" and directionless.
        mix(data = 2, io = hdr.h.d, i = 3, o = hdr.h.a);
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
