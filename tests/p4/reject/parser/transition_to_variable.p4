// spec: §13.5 Transition statements
#include <core.p4>
parser P(packet_in b) {
    bit<8> v;
    state start { transition v; } //~ ERROR
}
