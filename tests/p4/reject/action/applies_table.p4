// spec: §14.1 Actions
#include <core.p4>
control C() {
    table t { actions = { NoAction; } }
    action a() { t.apply(); } //~ ERROR
    apply { a(); }
}
