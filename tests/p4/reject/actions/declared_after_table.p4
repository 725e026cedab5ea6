// spec: §6.6.1 Scopes
#include <core.p4>
control C() {
    table t {
        actions = { late; NoAction; } //~ ERROR late
    }
    action late() { }
    apply { t.apply(); }
}
