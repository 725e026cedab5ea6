// spec: §14.2.1.1 Keys
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { z: exact; } //~ ERROR z
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
