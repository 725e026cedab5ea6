// spec: §14.2.1.2 Actions
#include <core.p4>
control C(inout bit<8> y) {
    action b(inout bit<8> x, bit<8> data) { x = data; }
    table t {
        key = { y: exact; }
        actions = { b(y, 3); NoAction; } //~ ERROR
        default_action = NoAction;
    }
    apply { t.apply(); }
}
