// spec: §8.16.4 Ranges
#include <core.p4>
parser P(packet_in b, in bit<8> x) {
    state start {
        transition select(x) {
            16w1 .. 16w3: accept; //~ ERROR
            _: reject;
        }
    }
}
