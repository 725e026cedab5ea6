// spec: §15.1 Direct type invocation
#include <core.p4>
control Inner() {
    table t { actions = { NoAction; } }
    apply { t.apply(); }
}
control C() {
    apply { Inner.apply(); Inner.apply(); } //~ ERROR
}
