// spec: §13.6 Select expressions
#include <core.p4>
parser P(packet_in b, inout bit<8> x) {
    state start {
        transition select(x) {
            1: { x = 2; } //~ ERROR
            default: reject;
        }
    }
}
