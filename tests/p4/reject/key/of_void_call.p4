// spec: §14.2.1.1 Keys
#include <core.p4>
extern void f();
control C() {
    table t {
        key = { f(): exact @name("f"); } //~ ERROR
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
