// spec: §13.8.1 Fixed-width extraction
#include <core.p4>
header H { bit<8> f; varbit<32> v; }
parser P(packet_in b, out H h) {
    state start {
        b.extract(h); //~ ERROR
        transition accept;
    }
}
