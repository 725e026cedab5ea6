#include <core.p4>
control C(inout bit<8> a, inout bit<8> b) {
    table t {
        key = {
            a : lpm;
            b : lpm; //~ WARN table `t` has two `lpm` keys
        }
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
