// spec: §14.2.1.2 Actions
#include <core.p4>
void f() { }
control C(in bit<8> x) {
    table t {
        actions = { f; NoAction; } //~ ERROR
    }
    apply { t.apply(); }
}
