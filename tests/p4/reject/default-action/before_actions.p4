// spec: §14.2.1.3 Default action
#include <core.p4>
control C() {
    table t {
        default_action = NoAction; //~ ERROR
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
