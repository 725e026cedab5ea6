// spec: §13.2 Parser declarations
#include <core.p4>
parser P(packet_in b) {
    state start { transition next_one; }
    state next_one { transition accept; }
    state next_one { transition reject; } //~ ERROR next_one
}
