// spec: §8.3 Operations on enum types
enum Suit { Clubs, Hearts }
control C(inout Suit s) {
    apply { s = Suit.Spades; } //~ ERROR spades
}
