// spec: §14.2 Tables
#include <core.p4>
control C(in bit<8> x) {
    action a() { }
    table t {
        key = { x: exact; }
        actions = { NoAction; }
        actions = { a; } //~ ERROR actions
    }
    apply { t.apply(); }
}
