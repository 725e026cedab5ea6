// spec: §6.10 Visibility
#include <core.p4>
control A() {
    table t { actions = { NoAction; } }
    apply { t.apply(); }
}
control B() {
    apply { A.t.apply(); } //~ ERROR
}
