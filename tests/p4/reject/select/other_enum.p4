// spec: §13.6 Select expressions
#include <core.p4>
enum Suit { Clubs, Hearts }
enum Colour { Black, Red }
parser P(packet_in b, in Suit x) {
    state start {
        transition select(x) {
            Colour.Red: accept; //~ ERROR
            default: reject;
        }
    }
}
