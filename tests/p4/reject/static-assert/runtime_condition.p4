// spec: §19 Static assertions
#include <core.p4>
control C(in bit<8> x) {
    apply { static_assert(x == 1, "never known"); } //~ ERROR
}
