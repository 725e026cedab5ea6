// spec: §13.5 Transition statements
#include <core.p4>
parser P(packet_in b) {
    state start { transition accept } //~ ERROR
}
