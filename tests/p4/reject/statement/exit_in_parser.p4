// spec: §12.5 Exit statement
#include <core.p4>
parser P(packet_in b) {
    state start {
        exit; //~ ERROR
        transition accept;
    }
}
