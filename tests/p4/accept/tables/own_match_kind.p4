// spec: §14.2.1.1 Keys
#include <core.p4>
match_kind { range, optional, selector, }
control C(in bit<8> x) {
    table t {
        key = { x: range; x: optional @name("y"); x: selector @name("z"); }
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
