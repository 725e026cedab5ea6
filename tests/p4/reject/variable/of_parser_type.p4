// spec: §11.2 Variables
#include <core.p4>
parser Inner(packet_in b) { state start { transition accept; } }
parser P(packet_in b) {
    Inner i; //~ ERROR
    state start { i.apply(b); transition accept; }
}
