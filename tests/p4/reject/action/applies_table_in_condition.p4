// spec: §14.1 Actions
#include <core.p4>
control C(inout bit<8> x) {
    table t { actions = { NoAction; } }
    action a() { if (t.apply().hit) { x = 1; } } //~ ERROR
    apply { a(); }
}
