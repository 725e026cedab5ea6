// spec: §13.10 Sub-parsers
#include <core.p4>
parser P(packet_in b) {
    P() again; //~ ERROR
    state start { again.apply(b); transition accept; }
}
