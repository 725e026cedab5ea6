// spec: §13.8.3 Lookahead
#include <core.p4>
parser P(packet_in b, out bit<16> x) {
    state start {
        x = b.lookahead<bit<8>>(); //~ ERROR
        transition accept;
    }
}
