// spec: §14.2.1.5 Size
#include <core.p4>
const int N = 1 << 10;
enum bit<16> Sizes { Small = 16 }
control C(in bit<8> x)(bit<32> n) {
    table t { key = { x: exact; } actions = { NoAction; } size = N - 1; }
    table u { key = { x: exact; } actions = { NoAction; } size = n; }
    table v { key = { x: exact; } actions = { NoAction; } size = 32w7 + 1; }
    apply { t.apply(); u.apply(); v.apply(); }
}
