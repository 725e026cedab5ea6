// spec: §13.10 Sub-parsers
#include <core.p4>
parser Inner(packet_in b, out bit<8> x) { state start { x = 0; transition accept; } }
parser P(packet_in b, out bit<16> x) {
    Inner() inner;
    state start {
        inner.apply(b, x); //~ ERROR
        transition accept;
    }
}
