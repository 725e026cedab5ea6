// spec: §14.2.1.4 Entries
#include <core.p4>
control C(in bit<48> dst) {
    action a() { }
    table t {
        key = { dst : exact; }
        actions = { a; }
        const entries = {
            00:11:22:33:44:55 : a(); //~ ERROR 0x001122334455
            0a:11:22:33:44:55: a(); //~ ERROR 0x0A1122334455
        }
    }
    apply { t.apply(); }
}
