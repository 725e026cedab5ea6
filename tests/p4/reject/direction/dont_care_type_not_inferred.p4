// spec: §8.21 Method invocations and function calls
#include <core.p4>
parser P(packet_in b) {
    state start {
        b.extract(_); //~ ERROR
        transition accept;
    }
}
