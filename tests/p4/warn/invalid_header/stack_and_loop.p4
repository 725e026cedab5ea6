// no warnings
#include <core.p4>
header H { bit<1> last; bit<7> f; }
struct Headers { H[4] s; }
parser P(packet_in packet, out Headers h) {
    state start {
        packet.extract(h.s.next);
        transition select(h.s.last.last) {
            0: start;
            1: done;
        }
    }
    state done {
        transition select(h.s[0].f) {
            1: accept;
            default: reject;
        }
    }
}
