// spec: §12.4 Return statement
#include <core.p4>
parser P(packet_in b) {
    state start {
        return; //~ ERROR
        transition accept;
    }
}
