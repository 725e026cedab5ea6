// spec: §14.2.1.4 Entries
#include <core.p4>
control C() {
    table t {
        actions = { NoAction; }
        const entries = { 1: NoAction(); } //~ ERROR
    }
    apply { t.apply(); }
}
