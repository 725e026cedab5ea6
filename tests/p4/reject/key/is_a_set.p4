// spec: §7.2.9.1 Set types
#include <core.p4>
control C(in bit<8> x) {
    table t {
        key = { x &&& 8w3: exact; } //~ ERROR
        actions = { NoAction; }
    }
    apply { t.apply(); }
}
