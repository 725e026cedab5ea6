// spec: §14.2.1.5 Size
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x: exact; }
        actions = { NoAction; }
        size = x; //~ ERROR
    }
    apply { t.apply(); }
}
