// spec: §8.16.3 Masks
#include <core.p4>
parser P(packet_in b, in bool x) {
    state start {
        transition select(x) {
            true &&& true: accept; //~ ERROR
            _: reject;
        }
    }
}
