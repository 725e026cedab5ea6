// spec: §13.8.2 Variable-width extraction
#include <core.p4>
header H { varbit<32> v; }
parser P(packet_in b, out H h) {
    state start {
        b.extract(h, 8w8); //~ ERROR
        transition accept;
    }
}
