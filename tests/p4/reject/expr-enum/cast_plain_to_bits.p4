// spec: §8.3 Operations on enum types
enum Suit { Clubs, Hearts }
control C(in Suit s, out bit<8> y) {
    apply { y = (bit<8>)s; } //~ ERROR
}
