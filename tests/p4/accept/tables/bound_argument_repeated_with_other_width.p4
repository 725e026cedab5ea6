// spec: §14.2.1.3 Default action
// The default action repeats what the list binds: the same constant, written with or without its
// width.
#include <core.p4>

control c(inout bit<8> x) {
    action add(inout bit<8> sum, in bit<8> step, bit<8> more) {
        sum = sum + step + more;
    }
    table t {
        actions = {
            add(x, 8w3);
        }
        default_action = add(x, 3, 4);
    }
    apply {
        t.apply();
    }
}
