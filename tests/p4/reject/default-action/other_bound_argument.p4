// spec: §14.2.1.3 Default action
#include <core.p4>
control C(inout bit<8> x, inout bit<8> z) {
    action b(inout bit<8> y, bit<8> data) { y = data; }
    table t {
        actions = { b(z); }
        default_action = b(x, 3); //~ ERROR
    }
    apply { t.apply(); }
}
