// spec: §14.2.1.4 Entries
#include <core.p4>
control C(inout bit<8> x) {
    action a(bit<8> data) { x = data; }
    table t {
        key = { x: exact; }
        actions = { a; NoAction; }
        default_action = NoAction;
        const entries = {
            1: a(); //~ ERROR
        }
    }
    apply { t.apply(); }
}
