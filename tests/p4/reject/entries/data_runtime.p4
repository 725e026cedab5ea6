// spec: §14.1.1 Invoking actions
#include <core.p4>
control C(inout bit<8> x) {
    action a(bit<8> data) { x = data; }
    table t {
        key = { x: exact; }
        actions = { a; NoAction; }
        default_action = NoAction;
        const entries = {
            1: a(x); //~ ERROR
        }
    }
    apply { t.apply(); }
}
