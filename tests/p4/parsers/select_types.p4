// Select on a boolean, on an enum with and without underlying type, on a
// slice, on an expression and on a validity test.
#include <core.p4>
#include <v1model.p4>

enum bit<8> Kind {
    A = 1,
    B = 0x80
}
enum Color {
    Red,
    Green,
    Blue
}
header h_t {
    Kind   kind;
    bit<8> x;
    bit<8> r;
    bit<8> s;
    bit<8> t;
    bit<8> u;
}
struct headers_t {
    h_t h;
    h_t g;
}
struct meta_t { }

parser ParserImpl(packet_in pkt, out headers_t hdr, inout meta_t meta,
                  inout standard_metadata_t smeta) {
    Color color = Color.Green;
    state start {
        pkt.extract(hdr.h);
        transition select(hdr.h.kind) {
            Kind.A: kind_a;
            Kind.B: kind_b;
            default: kind_other;
        }
    }
    state kind_a {
        hdr.h.r = 1;
        color = Color.Red;
        transition colors;
    }
    state kind_b {
        hdr.h.r = 2;
        color = Color.Blue;
        transition colors;
    }
    state kind_other {
        hdr.h.r = 3;
        transition colors;
    }
    state colors {
        transition select(color) {
            Color.Red: red;
            Color.Blue: blue;
            _: slices;
        }
    }
    state red {
        hdr.h.s = 1;
        transition slices;
    }
    state blue {
        hdr.h.s = 2;
        transition slices;
    }
    state slices {
        transition select(hdr.h.x[5:2]) {
            4w0b1010: slice_hit;
            default: booleans;
        }
    }
    state slice_hit {
        hdr.h.t = 1;
        transition booleans;
    }
    state booleans {
        transition select(hdr.h.x > 100, hdr.g.isValid()) {
            (true, false): greater;
            (false, _): sums;
            (_, true): reject;
        }
    }
    state greater {
        hdr.h.u = 1;
        transition accept;
    }
    state sums {
        transition select(hdr.h.x + 1) {
            100: sum_hit;
            default: accept;
        }
    }
    state sum_hit {
        hdr.h.u = 2;
        transition accept;
    }
}

control VerifyImpl(inout headers_t hdr, inout meta_t meta) {
    apply { }
}

control IngressImpl(inout headers_t hdr, inout meta_t meta,
                    inout standard_metadata_t smeta) {
    apply { smeta.egress_spec = 1; }
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
