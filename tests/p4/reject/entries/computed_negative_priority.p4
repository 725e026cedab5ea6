// spec: §14.2.1.4.1 Entry priorities
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: ternary; }
        actions = { NoAction; }
        priority_delta = 10;
        entries = {
            priority = 5: 1 &&& 3: NoAction();
            2 &&& 3: NoAction(); //~ ERROR priorit
        }
    }
    apply { t.apply(); }
}
