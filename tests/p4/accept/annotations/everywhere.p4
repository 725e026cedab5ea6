// spec: §20 Annotations
#include <core.p4>
@a header H { @b bit<8> f; @c(1) @c(2) bit<8> g; }
@a("x") struct S { @b[1] H h; }
@a[k=1] header_union U { @b H h; }
@a enum Suit { Clubs }
@a enum bit<8> Level { Low = 0 }
@a typedef bit<8> Byte;
@a type bit<8> Port;
@a const bit<8> k = 1;
@a extern E { @b E(@c bit<8> n); @b void put(@c in bit<8> x); }
@a extern void f(@b in bit<8> x);
@a action top(@b bit<8> x) { }
@a parser Pt(@b packet_in b);
@a control Ct(@b in bit<8> x);
@a package Pk(@b Ct c);
@a bit<8> fun(@b in bit<8> x) { return x; }
@a parser P(@b packet_in b) {
    @c bit<8> v;
    @c const bit<8> w = 1;
    @c E(1) e;
    @c value_set<bit<8>>(1) vs;
    @c state start { @d { v = 1; } @d bit<8> y = v; transition accept; }
}
@a control C(@b in bit<8> x) {
    @c bit<8> v;
    @c E(1) e;
    @c action act() @d { @e bit<8> y = 1; }
    @c table t {
        key = { x: exact @d @e(2); }
        actions = { @d act; @d @e NoAction; }
        @d size = 4;
        @d const entries = { 1: act() @e; }
    }
    apply @f { @g { t.apply(); } @h const bit<8> z = 2; }
}
@a Pk(C()) main;
