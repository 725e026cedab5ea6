// Arguments bound in the list of actions (in, inout, out) together with data
// from the entry: bound expressions are evaluated when the action runs, out
// and inout are copied back.
#include <core.p4>
#include <v1model.p4>

header h_t {
    bit<8> k;
    bit<8> x;
    bit<8> y;
    bit<8> z;
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
    bit<8> local = 0;
    action copy(in bit<8> from, out bit<8> to, bit<8> data) {
        to = from + data;
    }
    action accumulate(inout bit<8> total, bit<8> first, bit<8> second) {
        total = total + first;
        // The parameter is a copy: the field itself is still unchanged.
        hdr.h.z = hdr.h.x;
        total = total + second;
    }
    table t {
        key = {
            hdr.h.k: exact;
        }
        actions = {
            copy(hdr.h.x + local, hdr.h.y);
            accumulate(hdr.h.x);
        }
        default_action = copy(hdr.h.x + local, hdr.h.y, 0x80);
    }
    apply {
        smeta.egress_spec = 1;
        local = 3;
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
