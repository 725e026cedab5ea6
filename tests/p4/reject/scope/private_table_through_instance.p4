// spec: §6.10 Visibility
#include <core.p4>
control A() {
    table t { actions = { NoAction; } }
    apply { t.apply(); }
}
control B() {
    A() a;
    apply { a.t.apply(); } //~ ERROR t
}
