// spec: §13.6 Select expressions
#include <core.p4>
header H { bit<8> f; }
parser P(packet_in b) {
    value_set<H>(4) pvs; //~ ERROR
    state start { transition accept; }
}
