// spec: §14.2.1.3 Default action
#include <core.p4>
control C(in bit<8> x) {
    table t {
        actions = { NoAction; }
        default_action = 5; //~ ERROR
    }
    apply { t.apply(); }
}
