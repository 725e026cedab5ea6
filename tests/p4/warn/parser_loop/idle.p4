#include <core.p4>
header H { bit<8> kind; }
parser P(packet_in packet, out H h) {
    state start {
        packet.extract(h);
        transition select(h.kind) {
            1: a;
            default: accept;
        }
    }
    state a { //~ WARN state `a` and 1 more go round without end
        transition select(h.kind, packet.lookahead<bit<8>>()) {
            (1, 2): b;
            default: accept;
        }
    }
    state b { transition a; }
}
