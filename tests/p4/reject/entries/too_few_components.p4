// spec: §14.2.1.4 Entries
#include <core.p4>
control C(in bit<8> x, in bit<8> y) {
    table t {
        key = { x: exact; y: exact; }
        actions = { NoAction; }
        const entries = {
            1: NoAction(); //~ ERROR
        }
    }
    apply { t.apply(); }
}
