// spec: §14.2.1.3 Default action
#include <core.p4>
action a() { }
control C() {
    action a() { }
    table t {
        actions = { a; NoAction; }
        default_action = .a; //~ ERROR a
    }
    apply { t.apply(); }
}
