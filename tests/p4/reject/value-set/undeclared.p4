// spec: §13.11 Parser Value Sets
#include <core.p4>
parser P(packet_in b, in bit<8> x) {
    state start {
        transition select(x) {
            missing: accept; //~ ERROR missing
            default: reject;
        }
    }
}
