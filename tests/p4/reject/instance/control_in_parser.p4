// spec: §13.2 Parser declarations
#include <core.p4>
control C() { apply { } }
parser P(packet_in b) {
    C() c; //~ ERROR
    state start { transition accept; }
}
