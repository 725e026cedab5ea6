// spec: §13.5 Transition statements
#include <core.p4>
parser P(packet_in b, out bit<8> x) {
    state start { transition accept; x = 1; } //~ ERROR
}
