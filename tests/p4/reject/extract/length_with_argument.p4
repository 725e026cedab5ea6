// spec: §13.8 Data extraction
#include <core.p4>
parser P(packet_in b, out bit<32> x) {
    state start {
        x = b.length(1); //~ ERROR
        transition accept;
    }
}
