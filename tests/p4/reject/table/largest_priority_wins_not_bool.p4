// spec: §14.2.1.4.1 Entry priorities
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: ternary; }
        actions = { NoAction; }
        largest_priority_wins = 1; //~ ERROR
        entries = { priority = 1: 1 &&& 3: NoAction(); }
    }
    apply { t.apply(); }
}
