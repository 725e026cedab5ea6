// spec: §13.6 Select expressions
#include <core.p4>
parser P(packet_in b, in bit<8> x, in bool y) {
    state start {
        transition select(x, y) {
            (true, 2): accept; //~ ERROR
            default: reject;
        }
    }
}
