// spec: §13.8.1 Fixed-width extraction
#include <core.p4>
parser P(packet_in b, out bit<8> x) {
    state start {
        b.extract(x); //~ ERROR
        transition accept;
    }
}
