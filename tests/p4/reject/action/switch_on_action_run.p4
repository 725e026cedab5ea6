// spec: §12.7.1 Switch statement with action_run expression
#include <core.p4>
control C() {
    table t { actions = { NoAction; } }
    action a() { switch (t.apply().action_run) { NoAction: { } } } //~ ERROR
    apply { a(); }
}
