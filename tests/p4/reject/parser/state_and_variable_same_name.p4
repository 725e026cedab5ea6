// spec: §13.2 Parser declarations
#include <core.p4>
parser P(packet_in b) {
    bit<4> t;
    state start { t = 1; transition accept; }
    state t { transition accept; } //~ ERROR t
}
