// spec: §6.6.1 Scopes
#include <core.p4>
parser P(packet_in b) {
    state start { transition later; }
    state later { transition latest; }
    state latest { transition accept; }
}
