// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
action a() { }
parser P(packet_in b) {
    state start {
        a(); //~ ERROR
        transition accept;
    }
}
