// spec: §14 Control blocks
#include <core.p4>
extern E { E(); }
control Unused() { apply { } }
control C() {
    E() e;
    Unused() u;
    bit<8> v = 1;
    action a(bit<8> n) { }
    table t { actions = { a; NoAction; } }
    apply { }
}
