// spec: §20.3.3 Control-plane API annotations
#include <core.p4>
control C() {
    @name table t { actions = { NoAction; } } //~ ERROR name
    apply { t.apply(); }
}
