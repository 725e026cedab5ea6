// spec: §7.5 typedef
typedef header H { bit<8> f; } Alias;
typedef enum Suit { Clubs } Card;
control C(inout Alias a, inout H h, in Card c) {
    apply { a = h; if (c == Suit.Clubs) { h.f = 1; } }
}
