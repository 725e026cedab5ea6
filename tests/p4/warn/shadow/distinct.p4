// no warnings
// The same name side by side hides nothing, nor does a name of the architecture count.
#include <v1model.p4>
bit<8> f(in bit<8> value) { return value; }
control C(inout bit<8> x) {
    action counter(bit<8> value) { x = value; }
    action other(bit<8> value) { x = f(value); }
    apply {
        { bit<8> y = 1; counter(y); }
        { bit<8> y = 2; other(y); }
    }
}
