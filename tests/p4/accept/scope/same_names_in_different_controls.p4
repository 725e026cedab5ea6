// spec: §6.10 Visibility
#include <core.p4>
control A(inout bit<8> x) {
    action a() { x = 1; }
    table t { actions = { a; } default_action = a; }
    apply { t.apply(); }
}
control B(inout bit<8> x) {
    action a() { x = 2; }
    table t { actions = { a; } default_action = a; }
    A() inner;
    apply { t.apply(); inner.apply(x); }
}
