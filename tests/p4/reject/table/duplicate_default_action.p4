// spec: §14.2 Tables
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: exact; }
        actions = { NoAction; }
        default_action = NoAction;
        default_action = NoAction(); //~ ERROR default_action
    }
    apply { t.apply(); }
}
