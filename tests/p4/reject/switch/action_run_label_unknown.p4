// spec: §12.7.1 Switch statement with action_run expression
#include <core.p4>
control C() {
    action other() { }
    table t { actions = { NoAction; } }
    apply {
        switch (t.apply().action_run) {
            other: { } //~ ERROR other
        }
    }
}
