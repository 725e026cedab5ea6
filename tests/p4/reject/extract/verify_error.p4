// spec: §13.7 verify
#include <core.p4>
parser P(packet_in b, in bool x) {
    state start {
        verify(x, 1); //~ ERROR
        transition accept;
    }
}
