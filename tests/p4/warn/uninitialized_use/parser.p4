#include <core.p4>
header H { bit<8> kind; }
parser P(packet_in packet, out H h, out bit<8> layers) {
    bit<8> left;
    state start {
        packet.extract(h);
        transition select(h.kind) {
            0: done;
            default: count;
        }
    }
    state count {
        left = h.kind;
        transition done;
    }
    state done {
        layers = left; //~ WARN `left` may be read before it has a value
        transition accept;
    }
}
