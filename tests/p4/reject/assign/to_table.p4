// spec: §6.7 L-values
#include <core.p4>
control C() {
    table t { actions = { NoAction; } }
    apply { t = 5; } //~ ERROR
}
