// spec: §13.8.2 Variable-width extraction
#include <core.p4>
header H { bit<8> f; }
parser P(packet_in b, out H h) {
    state start {
        b.extract(h, 32w8); //~ ERROR
        transition accept;
    }
}
