// spec: §14.2.1.2 Actions
#include <core.p4>
control C() {
    table t {
        actions = { NoAction } //~ ERROR
    }
    apply { t.apply(); }
}
