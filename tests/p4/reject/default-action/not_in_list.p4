// spec: §14.2.1.3 Default action
#include <core.p4>
control C() {
    action a() { }
    table t {
        actions = { NoAction; }
        default_action = a; //~ ERROR a
    }
    apply { t.apply(); }
}
