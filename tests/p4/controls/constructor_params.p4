// Constructor parameters of a control (bit string, bool, arbitrary-precision
// int, enum, struct): each instance has its own values, usable in expressions,
// tables and conditions.
#include <core.p4>
#include <v1model.p4>

enum Mode {
    Add,
    Sub
}
struct limits_t {
    bit<8> low;
    bit<8> high;
}
header h_t {
    bit<8> x;
    bit<8> a;
    bit<8> b;
}
struct headers_t {
    h_t h;
}
struct meta_t { }

control Step(in bit<8> x, out bit<8> y)
            (bit<8> n, bool twice, int shift, Mode mode, limits_t limits) {
    action set(bit<8> v) {
        y = v;
    }
    table exact_n {
        key = {
            x: exact;
        }
        actions = {
            set;
            NoAction;
        }
        default_action = NoAction();
        const entries = {
            0: set(n);
        }
    }
    apply {
        y = x;
        if (mode == Mode.Add) {
            y = y + n;
        } else {
            y = y - n;
        }
        if (twice) {
            y = y << shift;
        }
        if (y > limits.high) {
            y = limits.high;
        }
        if (y < limits.low) {
            y = limits.low;
        }
        exact_n.apply();
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
    Step(1, true, 2, Mode.Add, { 0x08, 0x40 }) first;
    Step(n = 2, mode = Mode.Sub, twice = false, limits = { 0x00, 0xf0 }, shift = 3) second;
    apply {
        smeta.egress_spec = 1;
        first.apply(hdr.h.x, hdr.h.a);
        second.apply(hdr.h.x, hdr.h.b);
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
