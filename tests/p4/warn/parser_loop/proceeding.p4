// no warnings
// A loop ends when the packet does, when a stack is full, or when a counter says so.
#include <core.p4>
header H { bit<8> kind; }
struct Headers { H[8] s; H h; }
parser P(packet_in packet, out Headers h) {
    bit<8> n = 0;
    state start {
        packet.extract(h.h);
        transition bytes;
    }
    state bytes {
        packet.advance(8);
        transition select(packet.lookahead<bit<8>>()) {
            0: bytes;
            1: stack;
            default: count;
        }
    }
    state stack {
        packet.extract(h.s.next);
        transition stack;
    }
    state count {
        n = n + 1;
        transition select(n) {
            8: accept;
            default: count;
        }
    }
}
