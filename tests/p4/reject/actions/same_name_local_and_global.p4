// spec: §14.2.1.2 Actions
#include <core.p4>
action a() { }
control C() {
    action a() { }
    table t {
        actions = { a; .a; } //~ ERROR a
    }
    apply { t.apply(); }
}
