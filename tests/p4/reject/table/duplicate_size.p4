// spec: §14.2 Tables
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: exact; }
        actions = { NoAction; }
        size = 16;
        size = 32; //~ ERROR size
    }
    apply { t.apply(); }
}
