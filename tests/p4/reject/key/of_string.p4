// spec: §14.2.1.1 Keys
#include <core.p4>
control C() {
    table t {
        key = { "text": exact @name("text"); } //~ ERROR
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
