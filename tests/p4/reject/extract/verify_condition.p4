// spec: §13.7 verify
#include <core.p4>
parser P(packet_in b, in bit<8> x) {
    state start {
        verify(x, error.NoMatch); //~ ERROR
        transition accept;
    }
}
