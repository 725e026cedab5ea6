// spec: §14.2.1.1 Keys
#include <core.p4>
header H { bit<8> f; int<8> g; bool b; }
enum Suit { Clubs }
enum bit<8> Level { Low = 0 }
bit<8> f(in bit<8> x) { return x; }
control C(inout H h, in H[4] s, in Suit suit, in Level l, in error e) {
    bit<8> local;
    table first { key = { h.f: exact; } actions = { NoAction; } }
    table t {
        key = {
            h.f: exact;
            h.g: ternary;
            h.b: exact;
            h.isValid(): exact @name("valid");
            h.f[3:0]: lpm;
            s[2].f: exact;
            h.f & 0x0F: exact;
            h.f + 1: exact @name("sum");
            f(h.f): exact @name("call");
            suit: exact;
            l: ternary;
            e: exact;
            local: exact;
            h.f ++ local: exact @name("pair");
        }
        actions = { NoAction; }
    }
    apply { local = 0; if (first.apply().hit) { t.apply(); } }
}
