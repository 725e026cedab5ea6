// spec: §13.6 Select expressions
#include <core.p4>
parser P(packet_in b, in bit<8> x) {
    value_set<bit<16>>(4) pvs;
    state start {
        transition select(x) {
            pvs: accept; //~ ERROR
            default: reject;
        }
    }
}
