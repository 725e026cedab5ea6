// spec: §14 Control blocks
#include <core.p4>
extern E { E(); bit<8> get(); }
control Inner() { apply { } }
control C(inout bit<8> x) {
    action a() { x = 1; }
    bit<8> v = x;
    E() e;
    table t { key = { v: exact; } actions = { a; } default_action = a; }
    const bit<8> k = 2;
    Inner() i;
    action b() { v = k + e.get(); a(); }
    table u { actions = { b; } default_action = b(); }
    apply { t.apply(); u.apply(); i.apply(); }
}
