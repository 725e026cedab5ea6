// spec: §14.2.1.2 Actions
#include <core.p4>
control C(in bit<16> y) {
    action a(in bit<8> x) { }
    table t {
        actions = { a(y); NoAction; } //~ ERROR
        default_action = NoAction;
    }
    apply { t.apply(); }
}
