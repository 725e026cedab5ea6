// const entries with range and optional keys and with entries for bool, enum
// and signed keys; first match wins.
#include <core.p4>
#include <v1model.p4>

enum bit<8> Kind {
    Low = 1,
    High = 0x80
}
header h_t {
    bit<16> port;
    bit<8>  proto;
    Kind    kind;
    int<8>  s;
    bit<8>  r;
    bit<8>  q;
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
    action mark(bit<8> v) {
        hdr.h.q = v;
    }
    table ports {
        key = {
            hdr.h.port: range;
            hdr.h.proto: optional;
        }
        actions = {
            set;
        }
        default_action = set(0xff);
        const entries = {
            (80, 6): set(1);
            (0 .. 1023, 17): set(2);
            (50 .. 100, _): set(3);
            (default, 1): set(4);
        }
    }
    table kinds {
        key = {
            hdr.h.kind: exact;
            hdr.h.s: exact;
            hdr.h.port == 0: exact @name("port_is_zero");
        }
        actions = {
            mark;
        }
        default_action = mark(0xff);
        const entries = {
            (Kind.Low, -1, true): mark(1);
            (Kind.Low, -1, false): mark(2);
            (Kind.High, 127, true): mark(3);
            (Kind.High, -128, true): mark(4);
        }
    }
    apply {
        smeta.egress_spec = 1;
        ports.apply();
        kinds.apply();
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
