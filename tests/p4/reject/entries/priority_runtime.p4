// spec: §14.2.1.4.1 Entry priorities
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: ternary; }
        actions = { NoAction; }
        entries = {
            priority = (x): 2 &&& 3: NoAction(); //~ ERROR
        }
    }
    apply { t.apply(); }
}
