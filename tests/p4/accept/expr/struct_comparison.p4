// spec: §8.17 Operations on struct types
header H { bit<8> f; varbit<8> v; }
header_union U { H h; }
enum Suit { Clubs }
struct S { bit<8> a; H h; H[2] st; U u; tuple<bit<8>, bool> t; error e; Suit s; }
control C(in S x, in S y, out bool b) {
    apply { b = x == y; b = x != y; b = x.st == y.st; b = x.t == y.t; }
}
