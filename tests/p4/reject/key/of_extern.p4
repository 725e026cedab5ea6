// spec: §14.2.1.1 Keys
#include <core.p4>
extern E { E(); }
control C() {
    E() e;
    table t {
        key = { e: exact; } //~ ERROR
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
