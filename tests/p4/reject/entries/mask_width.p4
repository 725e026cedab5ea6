// spec: §14.2.1.4 Entries
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: ternary; }
        actions = { NoAction; }
        const entries = {
            8w1 &&& 16w3: NoAction(); //~ ERROR
        }
    }
    apply { t.apply(); }
}
