// spec: §13.8.4 Skipping bits
#include <core.p4>
parser P(packet_in b) {
    state start {
        b.advance(true); //~ ERROR
        transition accept;
    }
}
