// spec: §14.2.1.1 Keys
#include <core.p4>
control C(in bit<8> x, in bit<8> y) {
    table t {
        key = { x: exact, y: exact; } //~ ERROR
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
