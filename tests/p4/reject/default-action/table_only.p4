// spec: §20.3.2 Annotations on the table action list
#include <core.p4>
control C(in bit<8> x) {
    action a() { }
    table t {
        key = { x: exact; }
        actions = { @tableonly a; NoAction; }
        default_action = a; //~ ERROR
    }
    apply { t.apply(); }
}
