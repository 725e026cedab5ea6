// spec: §14.2.1.4 Entries
#include <core.p4>
control C(in bit<8> x) {
    action a() { }
    table t {
        key = { x: exact; }
        actions = { NoAction; }
        const entries = {
            1: a(); //~ ERROR a
        }
    }
    apply { t.apply(); }
}
