// spec: §13.8.1 Fixed-width extraction
#include <core.p4>
header H { bit<8> f; }
header_union U { H h; }
parser P(packet_in b, out U u) {
    state start {
        b.extract(u); //~ ERROR
        transition accept;
    }
}
