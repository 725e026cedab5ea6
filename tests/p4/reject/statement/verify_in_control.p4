// spec: §13.7 verify
#include <core.p4>
control C(in bit<8> x) {
    apply { verify(x == 1, error.NoMatch); } //~ ERROR verify
}
