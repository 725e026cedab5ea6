// spec: §13.4 Parser states
#include <core.p4>
parser P(packet_in b, out bit<8> x) {
    state start { bit<8> here = 1; x = here; transition more; }
    state more { x = here; transition accept; } //~ ERROR here
}
