// spec: §6.4.1 Identifiers
#include <core.p4>
control C(inout bit<8> x) {
    action apply() { x = 1; }
    action entries(bit<8> key) { x = key; }
    table actions {
        key = { x: exact; }
        actions = { apply; entries; NoAction; }
        default_action = entries(3);
    }
    apply { actions.apply(); }
}
