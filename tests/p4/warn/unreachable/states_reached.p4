// no warnings
#include <core.p4>
header H { bit<8> kind; }
parser P(packet_in packet, out H h) {
    state start {
        packet.extract(h);
        transition select(h.kind) {
            1 .. 9: late;
            _: accept;
        }
    }
    state late { transition reject; }
}
