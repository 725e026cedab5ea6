// spec: §13.6 Select expressions
#include <core.p4>
parser P(packet_in b) {
    value_set<string>(4) pvs; //~ ERROR
    state start { transition accept; }
}
