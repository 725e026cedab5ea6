// spec: §13.5 Transition statements
#include <core.p4>
parser P(packet_in b, in bool c) {
    state start { if (c) { transition accept; } } //~ ERROR
}
