// spec: §7.2.8 Type nesting rules
header H { bit<8> f; }
header_union U { H h; }
enum Suit { Clubs }
struct Inner { bit<8> f; }
struct S {
    bit<8> a; int<8> b; varbit<8> c; error d; bool e; Suit f;
    H g; H[3] h; U i; U[2] j; Inner k; tuple<bit<8>, bool> l;
}
