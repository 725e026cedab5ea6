#include <core.p4>
header H { bit<8> kind; }
struct Headers { H a; H b; }
parser P(packet_in packet, out Headers h) {
    state start {
        packet.extract(h.a);
        transition select(h.a.kind) {
            1: second;
            default: third;
        }
    }
    state second {
        packet.extract(h.b);
        transition select(h.b.kind) {
            1: accept;
            default: reject;
        }
    }
    state third {
        transition select(h.b.kind) { //~ WARN read of a field of `h.b`, which is invalid here
            1: accept;
            default: reject;
        }
    }
}
