// spec: §14.2 Tables
#include <core.p4>
control C() {
    apply { table t { actions = { NoAction; } } } //~ ERROR
}
