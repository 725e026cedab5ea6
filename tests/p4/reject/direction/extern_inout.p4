// spec: §6.8 Calling convention
#include <core.p4>
parser P(inout packet_in b) { //~ ERROR
    state start { transition accept; }
}
