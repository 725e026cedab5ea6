// spec: §9 Compile-time size determination
enum Suit { Clubs, Hearts }
struct S { bit<8> f; Suit s; }
control C(in S s, out bit<32> n) {
    apply { n = s.minSizeInBits(); } //~ ERROR
}
