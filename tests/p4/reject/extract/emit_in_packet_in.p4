// spec: §13.8 Data extraction
#include <core.p4>
header H { bit<8> f; }
parser P(packet_in b, in H h) {
    state start {
        b.emit(h); //~ ERROR emit
        transition accept;
    }
}
