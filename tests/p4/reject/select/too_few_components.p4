// spec: §13.6 Select expressions
#include <core.p4>
parser P(packet_in b, in bit<8> x, in bit<8> y) {
    state start {
        transition select(x, y) {
            1: accept; //~ ERROR
            default: reject;
        }
    }
}
