// spec: §13.8.1 Fixed-width extraction
#include <core.p4>
header H { bit<8> f; }
const H k = { 1 };
parser P(packet_in b) {
    state start {
        b.extract(k); //~ ERROR
        transition accept;
    }
}
