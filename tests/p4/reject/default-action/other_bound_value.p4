// spec: §14.2.1.3 Default action
#include <core.p4>
control C(in bit<8> z) {
    action a(in bit<8> y) { }
    table t {
        actions = { a(5); }
        default_action = a(z); //~ ERROR
    }
    apply { t.apply(); }
}
