// spec: §14.2 Tables
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: exact; }
        key = { x: exact; } //~ ERROR key
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
