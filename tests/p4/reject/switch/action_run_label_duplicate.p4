// spec: §12.7.3 Notes common to all switch statements
#include <core.p4>
control C() {
    action a() { }
    table t { actions = { a; NoAction; } }
    apply {
        switch (t.apply().action_run) {
            a: { }
            a: { } //~ ERROR a
        }
    }
}
