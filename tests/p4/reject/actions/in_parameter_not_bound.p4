// spec: §14.2.1.2 Actions
#include <core.p4>
control C() {
    action a(in bit<8> x) { }
    table t {
        actions = { a; } //~ ERROR
        default_action = a(1);
    }
    apply { t.apply(); }
}
