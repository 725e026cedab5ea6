// spec: §8.16.4 Ranges
#include <core.p4>
enum Suit { Clubs, Hearts }
parser P(packet_in b, in Suit x) {
    state start {
        transition select(x) {
            Suit.Clubs .. Suit.Hearts: accept; //~ ERROR
            _: reject;
        }
    }
}
