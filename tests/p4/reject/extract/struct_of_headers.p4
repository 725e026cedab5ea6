// spec: §13.8.1 Fixed-width extraction
#include <core.p4>
header H { bit<8> f; }
struct S { H h; }
parser P(packet_in b, out S s) {
    state start {
        b.extract(s); //~ ERROR
        transition accept;
    }
}
