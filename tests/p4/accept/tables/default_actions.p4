// spec: §14.2.1.3 Default action
#include <core.p4>
const bit<8> K = 3;
control C(inout bit<8> x)(bit<8> n) {
    action a(bit<8> data) { x = data; }
    action b(inout bit<8> p, bit<8> data) { p = data; }
    table t1 { actions = { a; } default_action = a(K + 1); }
    table t2 { actions = { a; } const default_action = a(8w8); }
    table t3 { actions = { b(x); } default_action = b(x, 8w8); }
    table t4 { actions = { a; } default_action = a(data = 4); }
    table t5 { actions = { NoAction; a; } default_action = NoAction; }
    table t6 { actions = { a; } }
    table t7 { actions = { a; } default_action = a(n); }
    apply { t1.apply(); t2.apply(); t3.apply(); t4.apply(); t5.apply(); t6.apply(); t7.apply(); }
}
