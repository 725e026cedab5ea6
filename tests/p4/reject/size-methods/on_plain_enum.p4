// spec: §9 Compile-time size determination
enum Suit { Clubs, Hearts }
control C(in Suit s, out bit<32> n) {
    apply { n = s.minSizeInBits(); } //~ ERROR
}
