// spec: §11.3 Instantiations
#include <core.p4>
extern E { E(); }
parser P(packet_in b) {
    state start {
        E() e; //~ ERROR
        transition accept;
    }
}
