// spec: §13.6 Select expressions
#include <core.p4>
parser P(packet_in b) {
    state start {
        transition select("text") { "text": accept; default: reject; } //~ ERROR
    }
}
