// spec: §13.8.1 Fixed-width extraction
#include <core.p4>
struct S { bit<8> f; }
parser P(packet_in b, out S s) {
    state start {
        b.extract(s); //~ ERROR
        transition accept;
    }
}
