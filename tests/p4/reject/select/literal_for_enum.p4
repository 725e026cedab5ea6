// spec: §13.6 Select expressions
#include <core.p4>
enum Suit { Clubs, Hearts }
parser P(packet_in b, in Suit x) {
    state start {
        transition select(x) {
            0: accept; //~ ERROR
            default: reject;
        }
    }
}
