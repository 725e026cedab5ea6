// spec: §8 Expressions
#include <core.p4>
parser P(packet_in b, in bit<8> x) {
    state start {
        bit<8> y = select(x) { 1: accept; _: reject; }; //~ ERROR
        transition accept;
    }
}
