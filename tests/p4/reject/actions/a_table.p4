// spec: §14.2.1.2 Actions
#include <core.p4>
control C(in bit<8> x) {
    table first { actions = { NoAction; } }
    table t {
        actions = { first; NoAction; } //~ ERROR
    }
    apply { t.apply(); }
}
