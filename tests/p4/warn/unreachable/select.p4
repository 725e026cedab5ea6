#include <core.p4>
header H { bit<8> kind; bit<16> port; }
parser P(packet_in packet, out H h) {
    state start {
        packet.extract(h);
        transition select(h.kind, h.port) {
            (0x10 &&& 0xF0, _): a;
            (0x15, 80): b; //~ WARN this case is never reached
            (1, 100 .. 199): a;
            (1, 120 .. 130): b; //~ WARN this case is never reached
            (1, 0x0080 &&& 0xFFF8): b; //~ WARN this case is never reached
            (2, 5): a;
            (2, 5): b; //~ WARN this case was there before
            (_, _): accept;
            (3, 5): b; //~ WARN this case is never reached
            default: reject; //~ WARN this case is never reached
        }
    }
    state a { transition accept; }
    state b { transition reject; }
}
