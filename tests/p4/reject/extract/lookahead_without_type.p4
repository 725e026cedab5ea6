// spec: §13.8.3 Lookahead
#include <core.p4>
parser P(packet_in b) {
    state start {
        b.lookahead(); //~ ERROR
        transition accept;
    }
}
