// no warnings
#include <core.p4>
header H { bit<8> kind; }
parser P(packet_in packet, out H h, out bit<8> layers) {
    bit<8> left;
    state start {
        packet.extract(h);
        left = h.kind;
        layers = 0;
        transition count;
    }
    state count {
        left = left - 1;
        layers = layers + 1;
        packet.advance(8);
        transition select(left) {
            0: accept;
            default: count;
        }
    }
}
