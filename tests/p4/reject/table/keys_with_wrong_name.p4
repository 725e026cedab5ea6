// spec: §14.2.1.1 Keys
#include <core.p4>
control C(in bit<8> x) {
    table t {
        keys = { x: exact; } //~ ERROR
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
