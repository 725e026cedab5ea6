// spec: §14.2 Tables
#include <core.p4>
control C(in bit<8> x) {
    table t {
        const key = { x: exact; } //~ ERROR
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
