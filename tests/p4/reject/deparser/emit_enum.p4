// spec: §16.1 Data insertion into packets
#include <core.p4>
enum Suit { Clubs, Hearts }
control D(packet_out b, in Suit x) {
    apply { b.emit(x); } //~ ERROR
}
