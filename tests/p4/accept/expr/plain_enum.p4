// spec: §8.3 Operations on enum types
enum Suit { Clubs, Hearts }
control C(inout Suit s, out bool b) {
    apply {
        b = s == Suit.Clubs;
        b = Suit.Clubs != s;
        s = b ? Suit.Clubs : Suit.Hearts;
    }
}
