// spec: §14.2.1.2 Actions
#include <core.p4>
control C(in bit<8> x) {
    table t {
        actions = { x; } //~ ERROR
    }
    apply { t.apply(); }
}
