// spec: §6.6.1 Scopes
#include <core.p4>
control C() {
    table t { actions = { NoAction; } }
    table t { actions = { NoAction; } } //~ ERROR t
    apply { t.apply(); }
}
