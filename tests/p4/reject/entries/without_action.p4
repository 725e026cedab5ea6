// spec: §14.2.1.4 Entries
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: exact; }
        actions = { NoAction; }
        const entries = {
            1; //~ ERROR
        }
    }
    apply { t.apply(); }
}
