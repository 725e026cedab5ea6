// no warnings
// Narrow before wide; overlaps that leave something; a range inside the bits of a mask.
#include <core.p4>
header H { bit<8> kind; bit<16> port; }
parser P(packet_in packet, out H h) {
    value_set<bit<8>>(4) known;
    state start {
        packet.extract(h);
        transition select(h.kind, h.port) {
            (0x15, 80): a;
            (0x10 &&& 0xF0, 80): b;
            (1, 100 .. 199): a;
            (1, 150 .. 250): b;
            (1, 0x0100 &&& 0xFF00): b;
            (1, 0x00F0 .. 0x0100): b;
            (_, 80): a;
            default: more;
        }
    }
    state more {
        transition select(h.kind) {
            known: a;
            1: b;
            1 &&& 3: a;
            0 .. 127: b;
        }
    }
    state a { transition accept; }
    state b { transition reject; }
}
