// spec: §13.11 Parser Value Sets
#include <core.p4>
parser P(packet_in b, out bit<8> x) {
    value_set<bit<8>>(4) pvs;
    state start {
        x = pvs; //~ ERROR
        transition accept;
    }
}
