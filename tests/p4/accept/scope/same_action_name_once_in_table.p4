// spec: §14.2.1.2 Actions
#include <core.p4>
action a() { }
control C() {
    action a() { }
    table t { actions = { .a; NoAction; } }
    apply { t.apply(); a(); .a(); }
}
