// spec: §12.7.2 Switch statement with integer or enumerated type expression
#include <core.p4>
control C() {
    table t { actions = { NoAction; } }
    apply { switch (t.apply().hit) { NoAction: { } } } //~ ERROR
}
