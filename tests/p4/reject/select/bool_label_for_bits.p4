// spec: §13.6 Select expressions
#include <core.p4>
parser P(packet_in b, in bit<1> x) {
    state start {
        transition select(x) {
            true: accept; //~ ERROR
            default: reject;
        }
    }
}
