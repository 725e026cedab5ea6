// spec: §13.6 Select expressions
#include <core.p4>
parser P(packet_in b, in bool x) {
    state start {
        transition select(x) {
            1: accept; //~ ERROR
            default: reject;
        }
    }
}
