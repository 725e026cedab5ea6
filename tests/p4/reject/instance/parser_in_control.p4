// spec: §14 Control blocks
#include <core.p4>
parser P(packet_in b) { state start { transition accept; } }
control C() {
    P() p; //~ ERROR
    apply { }
}
