// spec: §19 Static assertions
#include <core.p4>
const int VERSION = 20;
const bool a = static_assert(VERSION > 10, "version " ++ "is too old");
const bool b = static_assert(true);
control C()(bit<8> n) {
    apply { static_assert(VERSION < 30); }
}
