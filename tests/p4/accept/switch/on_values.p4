// spec: §12.7.2 Switch statement with integer or enumerated type expression
enum Suit { Clubs, Hearts }
enum bit<8> Level { Low = 0, High = 1 }
error { Broken }
const bit<8> K = 7;
control C(inout bit<8> x, in int<8> s, in Suit suit, in Level l, in error e) {
    apply {
        switch (x) { 1: { } 2: 3: { x = 1; } K: { } K + 1: { } 8w9: { } default: }
        switch (s) { -1: { } 1: { } }
        switch (suit) { Suit.Clubs: { x = 2; } default: { } }
        switch (l) { Level.Low: Level.High: { x = 3; } }
        switch (e) { error.Broken: { x = 4; } }
        switch (x + 1) { (1): { } ~8w1: { } }
    }
}
