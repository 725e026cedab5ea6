// spec: §14.2.1.4 Entries
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: ternary; }
        actions = { NoAction; }
        entries = {
            priority = 1 + 2: 2 &&& 3: NoAction(); //~ ERROR
        }
    }
    apply { t.apply(); }
}
