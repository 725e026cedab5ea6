// spec: §13.11 Parser Value Sets
#include <core.p4>
parser P(packet_in b) {
    value_set(4) pvs; //~ ERROR
    state start { transition accept; }
}
