// spec: §13.8.1 Fixed-width extraction
#include <core.p4>
header H { bit<8> f; }
parser P(packet_in b, in H h) {
    state start {
        b.extract(h); //~ ERROR
        transition accept;
    }
}
