// spec: §14.2 Tables
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: exact; }
        actions = { NoAction; }
        depth_hint = 1;
        depth_hint = 2; //~ ERROR depth_hint
    }
    apply { t.apply(); }
}
