// spec: §8.19 Operations on header stacks
#include <core.p4>
header H { bit<8> f; }
parser P(packet_in b, inout H[3] s) {
    state start {
        s.lastIndex = 1; //~ ERROR
        transition accept;
    }
}
