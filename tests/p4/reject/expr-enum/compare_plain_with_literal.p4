// spec: §8.3 Operations on enum types
enum Suit { Clubs, Hearts }
control C(in Suit s, out bool y) {
    apply { y = s == 0; } //~ ERROR
}
