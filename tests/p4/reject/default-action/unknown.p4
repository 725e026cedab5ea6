// spec: §14.2.1.3 Default action
#include <core.p4>
control C() {
    table t {
        actions = { NoAction; }
        default_action = nothing; //~ ERROR nothing
    }
    apply { t.apply(); }
}
