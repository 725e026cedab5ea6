// spec: §13.10 Sub-parsers
#include <core.p4>
parser P(packet_in b) {
    state start {
        P.apply(b); //~ ERROR
        transition accept;
    }
}
