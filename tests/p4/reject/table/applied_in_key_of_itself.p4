// spec: §F Restrictions on compile time and run time calls
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { t.apply().hit: exact; } //~ ERROR
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
