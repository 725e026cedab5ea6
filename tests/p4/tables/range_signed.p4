// Ranges of signed keys are ranges of numbers, not of bit patterns.
#include <core.p4>
#include <v1model.p4>

header h_t { int<8> k; bit<8> const_entry; bit<8> added; }

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
    action first(bit<8> v) { hdr.h.const_entry = v; }
    action second(bit<8> v) { hdr.h.added = v; }
    table written {
        key = { hdr.h.k: range; }
        actions = { first; }
        default_action = first(0xff);
        const entries = {
            -8s5 .. 8s3: first(1);
            -8s128 .. -8s6: first(2);
        }
    }
    table filled {
        key = { hdr.h.k: range; }
        actions = { second; }
        default_action = second(0xff);
    }
    apply {
        sm.egress_spec = 1;
        written.apply();
        filled.apply();
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
