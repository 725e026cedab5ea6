// spec: §6.10 Visibility
#include <core.p4>
parser Inner(packet_in b) {
    state start { transition more; }
    state more { transition accept; }
}
parser P(packet_in b) {
    state start { transition more; } //~ ERROR more
}
