// spec: §14.2.1.2 Actions
#include <core.p4>
control C() {
    action a() { }
    table t {
        actions = { a; NoAction; a; } //~ ERROR a
    }
    apply { t.apply(); }
}
