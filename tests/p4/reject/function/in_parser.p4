// spec: §10 Function declarations
#include <core.p4>
parser P(packet_in b) {
    bit<8> f(in bit<8> x) { return x; } //~ ERROR
    state start { transition accept; }
}
