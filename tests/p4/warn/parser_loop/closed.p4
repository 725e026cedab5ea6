#include <core.p4>
header H { bit<8> kind; }
parser P(packet_in packet, out H h) {
    bit<8> n = 0;
    state start {
        packet.extract(h);
        transition turn;
    }
    state turn { //~ WARN state `turn` goes to itself without end
        n = n + h.kind;
        transition turn;
    }
}
