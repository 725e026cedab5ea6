// spec: §14.2.1.2 Actions
#include <core.p4>
control C() {
    action a(out bit<8> x) { x = 1; }
    table t {
        actions = { a(5); NoAction; } //~ ERROR
        default_action = NoAction;
    }
    apply { t.apply(); }
}
