// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
control Pipe();
package Top(Pipe p);
control A() { apply { } }
parser P(packet_in b) {
    Top(A()) t; //~ ERROR
    state start { transition accept; }
}
