// spec: §14.2.1.3 Default action
#include <core.p4>
control C(inout bit<8> y) {
    action b(bit<8> data) { y = data; }
    table t {
        actions = { b; }
        default_action = b(); //~ ERROR
    }
    apply { t.apply(); }
}
