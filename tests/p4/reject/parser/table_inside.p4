// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
parser P(packet_in b) {
    table t { actions = { NoAction; } } //~ ERROR
    state start { transition accept; }
}
