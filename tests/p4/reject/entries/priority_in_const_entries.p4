// spec: §14.2.1.4 Entries
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: ternary; }
        actions = { NoAction; }
        const entries = {
            priority = 5: 2 &&& 3: NoAction(); //~ ERROR priorit
        }
    }
    apply { t.apply(); }
}
