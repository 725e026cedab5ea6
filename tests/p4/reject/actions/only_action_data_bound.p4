// spec: §14.2.1.2 Actions
#include <core.p4>
control C(inout bit<8> y) {
    action b(bit<8> data) { y = data; }
    table t {
        key = { y: exact; }
        actions = { b(3); NoAction; } //~ ERROR
        default_action = NoAction;
    }
    apply { t.apply(); }
}
