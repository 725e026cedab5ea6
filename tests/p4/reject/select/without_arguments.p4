// spec: §13.6 Select expressions
#include <core.p4>
parser P(packet_in b) {
    state start {
        transition select() { 1: accept; } //~ ERROR
    }
}
