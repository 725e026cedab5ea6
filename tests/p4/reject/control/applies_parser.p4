// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
parser P(packet_in b) { state start { transition accept; } }
control C(packet_in b) {
    apply { P.apply(b); } //~ ERROR
}
