// spec: §13.11 Parser Value Sets
#include <core.p4>
parser P(packet_in b, in bit<8> n) {
    value_set<bit<8>>(n) pvs; //~ ERROR
    state start { transition accept; }
}
