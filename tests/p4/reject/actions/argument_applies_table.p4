// spec: §14.2.1.2 Actions
#include <core.p4>
control C(in bit<8> y) {
    action a(in bit<8> x) { }
    table first { key = { y: exact; } actions = { NoAction; } }
    table t {
        actions = { a(first.apply().hit ? 8w5 : 8w3); NoAction; } //~ ERROR
        default_action = NoAction;
    }
    apply { t.apply(); }
}
