// spec: §13.6 Select expressions
#include <core.p4>
enum Suit { Clubs, Hearts }
enum bit<8> Level { Low = 0, High = 1 }
const bit<8> K = 4;
parser P(packet_in b, in bit<8> x, in int<8> s, in bool c, in Suit suit, in Level l, in tuple<bit<8>, bool> t) {
    state start {
        transition select(x) {
            1: a;
            8w2: a;
            K: a;
            K + 1: a;
            6 &&& 7: a;
            8 .. 12: a;
            x + 3: a;
            Level.High: a;
            (9): a;
            _: a;
            default: reject;
        }
    }
    state a {
        transition select(x, s, c) {
            (1, -1, true): d;
            (_, 2 .. 5, _): d;
            (1 &&& 1, default, false): d;
            default: e;
        }
    }
    state d { transition select(suit, l) { (Suit.Clubs, Level.Low): e; (_, Level.High): accept; _: reject; } }
    state e { transition select(t[0], t[1]) { (1, true): accept; default: f; } }
    state f { transition select(l) { Level.Low &&& Level.High: accept; Level.Low .. Level.High: g; } }
    state g { transition select(x[3:0] ++ x[7:4], x == 3) { (0xAB, true): accept; } }
}
