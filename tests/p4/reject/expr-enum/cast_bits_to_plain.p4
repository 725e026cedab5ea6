// spec: §8.3 Operations on enum types
enum Suit { Clubs, Hearts }
control C(out Suit s, in bit<8> y) {
    apply { s = (Suit)y; } //~ ERROR
}
