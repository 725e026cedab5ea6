// spec: §14.2 Tables
#include <core.p4>
control C() {
    table t { actions = { } }
    table u { actions = { NoAction; } }
    table v { key = { } actions = { NoAction; } }
    apply { t.apply(); u.apply(); v.apply(); }
}
