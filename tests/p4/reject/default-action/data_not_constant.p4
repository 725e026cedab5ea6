// spec: §14.1.1 Invoking actions
#include <core.p4>
control C(inout bit<8> y) {
    action b(bit<8> data) { y = data; }
    table t {
        actions = { b; }
        default_action = b(y); //~ ERROR
    }
    apply { t.apply(); }
}
