// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
control C() { apply { } }
parser P(packet_in b) {
    state start {
        C.apply(); //~ ERROR
        transition accept;
    }
}
