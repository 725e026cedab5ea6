// spec: §14.2.1 Table properties
// A property of an architecture may name an action, with or without arguments.
#include <core.p4>

control c(inout bit<8> x) {
    action drop_it() {
        x = 0;
    }
    action set_it(bit<8> value) {
        x = value;
    }
    table t {
        key = {
            x : exact;
        }
        actions = {
            drop_it;
            set_it;
        }
        psa_empty_group_action = drop_it;
        on_timeout = set_it(3);
    }
    apply {
        t.apply();
    }
}
