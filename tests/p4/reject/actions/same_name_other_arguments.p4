// spec: §14.2.1.2 Actions
#include <core.p4>
control C() {
    action a(in bit<8> x) { }
    table t {
        actions = { a(1); a(2); } //~ ERROR a
    }
    apply { t.apply(); }
}
